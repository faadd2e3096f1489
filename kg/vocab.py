"""The vocabularies and their terms that the program uses: its profile.

A namespace is not a string, because `foaf.title` would then be a string method. It knows its terms:
using a term outside the profile fails when the module is imported. A test compares the profile with
schema.org 30.0 and FOAF 0.99.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache


class Iri(str):
    """The IRI of a term or a thing. Without a scheme, it is relative to the base of the site:
    `topics/#it`.
    """

    __slots__ = ()


class Namespace:
    """A vocabulary and the terms of it that we use: `schema.name`."""

    def __init__(self, iri: str, terms: str) -> None:
        self._iri = iri
        self._terms = dict.fromkeys(terms.split())

    def __getattr__(self, term: str) -> Iri:
        if term.startswith("__") or term not in self._terms:
            raise AttributeError(
                f"{self._iri}{term} is not in the profile; add it to kg/vocab.py if it exists"
            )
        self.__dict__[term] = found = Iri(self._iri + term)  # cached for the next access
        return found

    def __getitem__(self, term: str) -> Iri:
        """A term that is a Python keyword: `void["class"]`."""
        return self.__getattr__(term)

    def __str__(self) -> str:
        return self._iri

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)


rdf = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "type langString")
rdfs = Namespace("http://www.w3.org/2000/01/rdf-schema#", "Class subClassOf label comment")
xsd = Namespace(
    "http://www.w3.org/2001/XMLSchema#",
    "string integer decimal gYear gYearMonth date boolean anyURI",
)
edtf = Namespace("http://id.loc.gov/datatypes/edtf/", "EDTF")
dcterms = Namespace(
    "http://purl.org/dc/terms/",
    "date spatial relation source subject Location title description license modified conformsTo",
)
bibo = Namespace("http://purl.org/ontology/bibo/", "Patent")
skos = Namespace("http://www.w3.org/2004/02/skos/core#", "broader Concept")

schema = Namespace(
    "http://schema.org/",
    """
    Article AudioObject BlogPosting Book BookSeries Chapter CollectionPage CollegeOrUniversity
    ComputerLanguage ConferenceEvent ContactPoint Corporation Country Course CourseInstance
    CreativeWork DataDownload Dataset DefinedTerm DefinedTermSet DigitalDocument
    EducationalOccupationalCredential EducationEvent EmployeeRole Event EventSeries FundingScheme
    Grant ItemList ItemPage Language LearningResource ListItem Map MediaObject MonetaryAmount
    MonetaryGrant MusicComposition NewsArticle Observation Occupation Organization OrganizationRole
    Periodical Person Place PodcastEpisode PodcastSeries PostalAddress PresentationDigitalDocument
    ProfilePage Project PropertyValue PublicationIssue PublicationVolume RadioEpisode RadioSeries
    Report ResearchOrganization ResearchProject Review Role ScholarlyArticle SoftwareApplication
    SoftwareSourceCode StatisticalVariable TechArticle Thesis TVEpisode TVSeries VideoObject
    VisualArtwork WebPage WebSite

    about abstract additionalName additionalType address addressCountry addressLocality
    addressRegion affiliation alternateName alternativeHeadline alumniOf amount author award
    birthDate bookEdition citation codeRepository colleague contactPoint contactType contentUrl
    contributor copyrightHolder courseCode creativeWorkStatus creator credentialCategory currency
    dateCreated dateModified datePublished description disambiguatingDescription distribution editor
    educationalLevel email encoding encodingFormat endDate exampleOfWork expires familyName
    fundedItem funder funding gender genre givenName hasCourseInstance hasCredential hasOccupation
    hasPart headline homeLocation honorificPrefix honorificSuffix identifier image inDefinedTermSet
    inLanguage inSupportOf instructor isBasedOn isPartOf isbn issn issueNumber item itemListElement
    itemReviewed jobTitle keywords knows knowsAbout knowsLanguage learningResourceType license
    location mainEntity mainEntityOfPage maxValue measurementDenominator memberOf mentions minValue
    name nationality numberOfCredits numberOfItems numberOfPages observationAbout observationDate
    organizer pageEnd pageStart pagination parentOrganization partOfSeries performer performerIn
    position postalCode programmingLanguage pronouns propertyID provider publisher recognizedBy
    recordedIn reportNumber roleName sameAs skills softwareVersion sourceOrganization
    spatialCoverage sponsor startDate streetAddress subOrganization subjectOf superEvent
    targetProduct telephone temporalCoverage termCode translationOfWork translator unitText url
    value variableMeasured version video volumeNumber workExample workFeatured workLocation worksFor
    """,
)

foaf = Namespace(
    "http://xmlns.com/foaf/0.1/",
    """
    Document OnlineAccount Organization Person PersonalProfileDocument Project account accountName
    accountServiceHomepage currentProject familyName gender givenName homepage img isPrimaryTopicOf
    knows made maker mbox mbox_sha1sum name pastProject phone primaryTopic publications
    schoolHomepage title topic_interest workplaceHomepage
    """,
)

# Our own terms: kinds of role, properties, and what an observation measures. All sites share them;
# each has a copy of their definitions at VOCABULARY.
VOCABULARY = "terms/cv"
cv = Namespace(
    "https://w3id.org/cv-kg/terms#",
    """
    Employment Assistantship Internship Study Membership Extracurricular Teaching Reviewing
    ProgramCommittee Chairing Volunteering Advisor CommitteeMember Mentor Mentee Referee Skill
    DoctoralStudy MasterStudy BachelorStudy PostdoctoralStudy DiplomaStudy SchoolStudy
    Affiliation Contribution Service Talk InvitedTalk Keynote Owner Postdoc Founder Visiting
    Honorary SelfEmployment CareerBreak LanguageSkill Funding MediaAppearance Editing Organizing
    Committee Panel Board Examination Outreach Section Entry KeyContribution News

    authorsUnknown correspondingAuthor earliest employer equalContribution formerName institution
    laterVersion latest layout moreAuthors ongoing refereed secondary section selectedWork
    tookPartIn venue year

    acceptanceRate acceptedPapers amount attendance citations enrolment gpa hIndex reviews share
    students submissions
    """,
)

# For shapes and for the examples of an endpoint; no fact uses these.
sh = Namespace(
    "http://www.w3.org/ns/shacl#",
    """
    NodeShape PropertyShape Violation deactivated declare disjoint equals lessThan lessThanOrEquals
    message namespace path prefix prefixes select severity sparql targetClass targetNode
    targetObjectsOf targetSubjectsOf target PrefixDeclaration SPARQLAskExecutable
    SPARQLConstructExecutable SPARQLDescribeExecutable SPARQLExecutable SPARQLSelectExecutable ask
    construct describe
    """,
)

# For the description of a site in `{base}void` and at its endpoint; no fact uses these.
owl = Namespace("http://www.w3.org/2002/07/owl#", "Ontology versionInfo")
sd = Namespace(
    "http://www.w3.org/ns/sparql-service-description#",
    """
    Dataset Feature Graph NamedGraph SPARQL10Query SPARQL11Query Service UnionDefaultGraph
    defaultDataset defaultGraph endpoint feature graph name namedGraph resultFormat
    supportedLanguage
    """,
)
void = Namespace(
    "http://rdfs.org/ns/void#",
    """
    Dataset DatasetDescription class classPartition classes dataDump distinctObjects
    distinctSubjects documents entities exampleResource properties property propertyPartition
    rootResource sparqlEndpoint subset triples uriSpace vocabulary
    """,
)
dcat = Namespace(
    "http://www.w3.org/ns/dcat#",
    """
    DataService Dataset Distribution accessURL compressFormat distribution downloadURL
    endpointDescription endpointURL landingPage mediaType servesDataset
    """,
)
# An extension of VoID, as used by public generators.
void_ext = Namespace("http://ldf.fi/void-ext#", "datatype datatypePartition")

EXTERNAL: dict[str, Namespace] = {
    "bibo": bibo,
    "cv": cv,
    "dcterms": dcterms,
    "edtf": edtf,
    "foaf": foaf,
    "rdf": rdf,
    "rdfs": rdfs,
    "schema": schema,
    "skos": skos,
    "xsd": xsd,
}
ABOUT: dict[str, Namespace] = {
    "dcat": dcat,
    "owl": owl,
    "sd": sd,
    "void": void,
    "void-ext": void_ext,
}
# The prefixes of every format we write, and those of the data and of its description.
PREFIXES = {prefix: str(namespace) for prefix, namespace in EXTERNAL.items()}
ALL_PREFIXES = PREFIXES | {prefix: str(space) for prefix, space in {**ABOUT, "sh": sh}.items()}
FORMER = "<terms/cv#"  # of releases before 0.1, in which each site had terms of its own
LOCAL = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


@lru_cache(maxsize=1 << 14)
def cut(iri: str) -> tuple[str, str]:
    """The namespace and the local name of an IRI; the local name is empty if it cannot follow a
    prefix.
    """
    end = max(iri.rfind("#"), iri.rfind("/")) + 1
    return (iri[:end], iri[end:]) if LOCAL.fullmatch(iri, end) else (iri, "")


def short(iri: str, known: Mapping[str, str]) -> str:
    """The prefixed name, e.g. `schema:name`; the whole IRI if no prefix is known."""
    namespace, name = cut(iri)
    found = (prefix for prefix, each in known.items() if name and each == namespace)
    return next((f"{prefix}:{name}" for prefix in found), iri)


def pages_graph(base: str) -> str:
    """The name of the graph of documents, pages and lists."""
    return f"{base}pages"


def provenance_graph(base: str) -> str:
    """The name of the graph that says which sources the facts are from."""
    return f"{base}provenance"


def apart(base: str) -> tuple[str, str, str, str]:
    """The names of the graphs that do not hold facts: pages, provenance, the vocabulary, and the
    description of the site.
    """
    return pages_graph(base), provenance_graph(base), f"{base}{VOCABULARY}", f"{base}void"


def renamed_terms(text: str) -> str:
    """A query or Turtle of an author with our terms under their present names."""
    return text.replace(FORMER, f"<{cv}")


def home(base: str, iri: str) -> str:
    """The document of a site that describes a thing; of our terms, the copy of the vocabulary."""
    return base + VOCABULARY if iri.startswith(str(cv)) else iri.partition("#")[0]
