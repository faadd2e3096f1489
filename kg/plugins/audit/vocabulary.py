"""The schema.org vocabulary: all names as rdflib has them, and for common classes their hierarchy
and properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from rdflib import SDO

from kg.vocab import schema

# Input and output annotations of actions (`query-input`).
ASKED_FOR = re.compile(r"(\w+)-(?:input|output)")
# A class, and its direct subclasses.
BELOW = """
Thing: Person CreativeWork Organization Event Place Intangible Action Product
Person: Patient
Organization: EducationalOrganization Corporation ResearchOrganization GovernmentOrganization NGO
  LocalBusiness LibrarySystem NewsMediaOrganization PerformingGroup MedicalOrganization Consortium
  FundingScheme Project SportsOrganization WorkersUnion Airline PoliticalParty
EducationalOrganization: CollegeOrUniversity School HighSchool MiddleSchool ElementarySchool
  Preschool
Project: ResearchProject FundingAgency
CreativeWork: Article Book Chapter Thesis Dataset WebPage WebSite Blog MediaObject Review
  SoftwareApplication SoftwareSourceCode LearningResource CreativeWorkSeries PublicationIssue
  PublicationVolume DigitalDocument Poster Message Comment Question Collection DataCatalog Map
  VisualArtwork MusicComposition Manuscript HowTo DefinedTermSet Certification
  EducationalOccupationalCredential WebPageElement
Article: ScholarlyArticle NewsArticle TechArticle Report SocialMediaPosting SatiricalArticle
ScholarlyArticle: MedicalScholarlyArticle
TechArticle: APIReference
SocialMediaPosting: BlogPosting DiscussionForumPosting
BlogPosting: LiveBlogPosting
Book: Audiobook
Dataset: DataFeed
LearningResource: Course Quiz Syllabus
WebPage: AboutPage CheckoutPage CollectionPage ContactPage FAQPage ItemPage ProfilePage QAPage
  SearchResultsPage
MediaObject: ImageObject VideoObject AudioObject DataDownload
SoftwareApplication: WebApplication MobileApplication VideoGame
DigitalDocument: PresentationDigitalDocument TextDigitalDocument SpreadsheetDigitalDocument
CreativeWorkSeries: Periodical BookSeries PodcastSeries
Periodical: Newspaper
Event: EducationEvent BusinessEvent ConferenceEvent CourseInstance EventSeries Festival
  ExhibitionEvent LiteraryEvent PublicationEvent SocialEvent TheaterEvent MusicEvent SportsEvent
Series: CreativeWorkSeries EventSeries
Intangible: Role Occupation ItemList ListItem StructuredValue DefinedTerm Grant Language Series
  Enumeration Rating Audience Brand Service Offer
Role: OrganizationRole PerformanceRole LinkRole
OrganizationRole: EmployeeRole
ItemList: BreadcrumbList HowToSection
ListItem: HowToStep
StructuredValue: PropertyValue ContactPoint MonetaryAmount QuantitativeValue GeoCoordinates
ContactPoint: PostalAddress
Grant: MonetaryGrant
Place: AdministrativeArea CivicStructure Landform LocalBusiness
AdministrativeArea: City Country State
"""
# Classes, and the properties of them and their subclasses. Properties that are not listed are not
# checked.
OWNERS = """
Person: givenName familyName additionalName honorificPrefix honorificSuffix jobTitle worksFor
  affiliation alumniOf birthDate birthPlace deathDate deathPlace gender nationality knows spouse
  children parent sibling colleague homeLocation workLocation hasOccupation pronouns netWorth
Person Organization: memberOf knowsAbout knowsLanguage hasCredential seeks
Person Organization ContactPoint: email
Person Organization Place ContactPoint: telephone faxNumber
Organization: legalName foundingDate dissolutionDate founder department subOrganization
  parentOrganization numberOfEmployees employee alumni leiCode
CreativeWork: headline datePublished dateCreated copyrightYear copyrightHolder editor
  citation isPartOf hasPart abstract genre isBasedOn timeRequired mainEntity
  learningResourceType thumbnailUrl accessMode creativeWorkStatus alternativeHeadline
  wordCount
CreativeWork Rating: author
CreativeWork Event: translator
Article: articleBody articleSection
Article Chapter PublicationIssue PublicationVolume: pageStart pageEnd pagination
Book: isbn bookEdition bookFormat illustrator
SoftwareSourceCode: codeRepository programmingLanguage
SoftwareApplication: applicationCategory operatingSystem softwareVersion downloadUrl
Dataset: distribution variableMeasured
Course: courseCode coursePrerequisites
Event: performer organizer attendee superEvent subEvent eventStatus eventAttendanceMode doorTime
ItemList: itemListElement numberOfItems itemListOrder
WebPage: breadcrumb lastReviewed significantLink primaryImageOfPage
WebPage Article: speakable
"""
REPLACED = """
awards award; members member; employees employee; founders founder; parents parent;
siblings sibling; colleagues colleague; reviews review; encodings encoding; events event;
blogPosts blogPost;
contactPoints contactPoint; isBasedOnUrl isBasedOn; attendees attendee; performers performer;
subEvents subEvent; significantLinks significantLink; photos photo; branchOf
parentOrganization; runtime runtimePlatform; device availableOnDevice; map hasMap; maps hasMap
"""


class SchemaOrg(NamedTuple):
    """All classes and properties by name; `above` is class -> direct superclasses, `owners` is
    property -> classes that have it.
    """

    classes: frozenset[str]
    properties: frozenset[str]
    above: dict[str, tuple[str, ...]]
    owners: dict[str, tuple[str, ...]]
    replaced: dict[str, str]

    def is_class(self, name: str) -> bool:
        return name in self.classes

    def is_property(self, name: str) -> bool:
        asked = ASKED_FOR.fullmatch(name)
        return name in self.properties or bool(asked and asked[1] in self.properties)

    def families(self, name: str) -> set[str]:
        """A class and all its superclasses."""
        found, waiting = set(), [name]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self.above.get(each, ())
        return found

    def fits(self, name: str, kinds: list[str]) -> bool:
        """Whether items of these classes can have a property. A Role can have any; what is not in
        the tables is not checked.
        """
        above = set().union(*map(self.families, kinds))
        owners = self.owners.get(name, ())
        is_known = all(kind in self.above or kind == "Thing" for kind in kinds)
        return not (owners and is_known) or "Role" in above or not above.isdisjoint(owners)


def table(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """The lines of a table, with continuation lines joined."""
    for line in re.sub(r"\n\s+", " ", text.strip()).splitlines():
        first, _, others = line.partition(":")
        yield first.split(), others.split()


@cache
def schema_org() -> SchemaOrg:
    above: dict[str, tuple[str, ...]] = {}
    for (name,), below in table(BELOW):
        above |= {each: (*above.get(each, ()), name) for each in below}
    owners: dict[str, tuple[str, ...]] = {}
    for names, properties in table(OWNERS):
        owners |= {each: (*owners.get(each, ()), *names) for each in properties}
    replaced = dict(re.findall(r"(\w+)\s+(\w+);?", REPLACED))
    known = {*SDO.__annotations__, *schema, *above, *owners, *replaced}
    classes = frozenset(name for name in known if not name[:1].islower())
    return SchemaOrg(classes, frozenset(known - classes), above, owners, replaced)
