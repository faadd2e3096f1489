"""Words by which a piece of a line is known: a position, an organisation, a unit of one, a degree,
a place.

Only whole words count, and a piece that two lists claim is claimed by neither.
"""

from __future__ import annotations

import re
from functools import cache

from kg.facts.formats.other_words import folded
from kg.facts.values.letters import plain
from kg.facts.values.regions import COUNTRIES

ROLES = """
actor adjunct adviser advisor agent analyst animator apprentice architect archivist artist assistant
assistantship associate attorney auditor author ceo cfo chair chairman chairperson chairwoman chef
chief cio ciso clerk coach cofounder columnist consultant contractor coo coordinator copywriter cto
curator cvo dean demonstrator designer developer diplomat director dba economist editor educator
engineer evangelist executive examiner fellow founder freelancer geologist grader head hydrologist
illustrator instructor intern interpreter inventor investigator journalist lawyer lead leader
lecturer librarian maintainer manager mathematician mentor nurse officer operator owner partner
pharmacist photographer physician physicist pianist pilot planner postdoc postdoctoral president
principal producer professor programmer provost psychologist reader registrar representative
researcher resident scholar scientist secretary specialist statistician strategist supervisor
surgeon surveyor teacher technician technologist tester therapist trainee trainer translator
treasurer tutor volunteer webmaster writer assistent assistentin architekt architektin berater
beraterin dozent dozentin entwickler entwicklerin fotograf geschaftsfuhrer geschaftsfuhrerin grunder
grunderin hilfskraft ingenieur ingenieurin lehrbeauftragte lehrbeauftragter lehrer lehrerin leiter
leiterin mitarbeiter mitarbeiterin praktikant praktikantin privatdozent professorin programmierer
redakteur referent referentin wissenschaftler wissenschaftlerin werkstudent werkstudentin chargee
charge chercheur chercheuse conferencier conferenciere consultante developpeur developpeuse
directeur directrice doctorant doctorante enseignant enseignante enseignant-chercheur ingenieure
maitre stagiaire professeur professeure responsable redacteur analista arquitecta arquitecto asesor
asesora becaria becario catedratica catedratico consultor consultora coordinador coordinadora
desarrollador desarrolladora director directora disenador docente gerente ingeniera ingeniero
investigador investigadora jefe practicante profesor profesora sde swe ta ra rsde sre vp
"""
ORGANIZATIONS = """
academy agency airlines association bank bureau clinic club college commission company conservatory
consortium consulting consultancy corp corporation council enterprise enterprises federation firm
foundation gmbh group hospital hotel inc incorporated industries institute institutes institution
insurance labs laboratories llc llp lp ltd limited ltda magazine ministry museum nasa office
observatory organisation organization partners pharmaceuticals plc polytechnic press pty s.a sa
school schools se services society software solutions startup studio studios systems technologies
trust university universities ventures works ag kg eth epfl mit iit cnrs inria csiro cern akademie
bundesamt fachhochschule gesellschaft gymnasium hochschule institut klinik klinikum krankenhaus
ministerium schule stiftung universitat universitatsklinikum verein verlag academie association
banque centre college ecole entreprise hopital ministere musee societe universite lycee academia
agencia asociacion ayuntamiento banco colegio empresa escuela fundacion hospital instituto
ministerio sociedad universidad universidade universitat universita universitet universiteit
"""
UNITS = """
branch center centre chair department dept division faculty group lab laboratory program programme
section team unit abteilung arbeitsgruppe bereich fachbereich fakultat labor lehrstuhl zentrum
departement equipe faculte laboratoire service departamento equipo facultad laboratorio centro
"""
SCHOOLS = """
academy college conservatory eth epfl mit iit institute institution polytechnic school university
universities akademie fachhochschule gymnasium hochschule institut schule universitat ecole lycee
universite academie colegio escuela instituto universidad universidade universita universitet
universiteit academia politecnico politecnica polytechnique ucla kth
"""
PLACES = """
usa u.s.a us u.s uk u.k uae england scotland wales catalonia quebec ontario deutschland schweiz
osterreich frankreich italien spanien suisse allemagne espagne belgique espana alemania francia
suiza mexico brasil belgie nederland danmark norge sverige suomi polska turkiye korea taiwan
hongkong iran russia vietnam syria ind roc prc chn deu alabama alaska arizona arkansas california
colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky
louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska
nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin
wyoming
"""
STATES = """
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC
ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC ON QC BC AB NSW VIC QLD
"""
OF_SCIENCE = (
    r"(?:['’]?s)?(?:\s+(?:degree|of\s+(?:Science|Arts|Engineering|Technology"
    r"|Philosophy|Laws|Commerce"
    r"|Business Administration|Fine Arts|Public Health)))?"
)
DEGREE = re.compile(
    r"(?<![\w.])(?:Ph\.?\s?D\.?|D\.?Phil\.?|Sc\.?D\.?|Ed\.?D\.?|M\.?D\.?|J\.?D\.?|Promotion"
    r"|Dr\.(?:\s?[a-z]+\.){1,3}|Doctor(?:ate)?(?:\s+of\s+[A-Z]\w+)?"
    r"|Doctoral(?:\s+degree)?|Doktor\w*"
    r"|Habilitation|Doctorado?(?:\s+en)?|M\.?\s?(?:Sc|Tech|Eng|Phil|Res|Arch|Ed|Math|Phys|Com)\.?"
    r"|M\.?\s?(?:A|S|E|BA|FA|PH|PA|CS)\.?(?:\s?S\.)?"
    r"|B\.?\s?(?:Sc|Tech|Eng|Arch|Ed|Com|Math|Phil)\.?"
    rf"|B\.?\s?(?:A|S|E|BA|FA|CA|CS)\.?(?:\s?S\.)?|Master{OF_SCIENCE}|Bachelor{OF_SCIENCE}"
    r"|Diplom(?:[-\w]*)?|Dipl\.[-\w.]*|Magister|Staatsexamen|Licence|Licenciatura|Licenciad[oa]"
    r"|Ma[iî]trise|Maestr[ií]a|Grado|Laurea\w*|LL\.?[BM]\.?"
    r"|Associate(?:['’]?s)?\s+(?:degree|of\s+\w+)"
    r"|Postgraduate|High School Diploma|Abitur"
    r"|Matura|Baccalaur[eé]at|Bachillerato|MBA|BSCS|Ingénieur)"
    r"(?![\w])"
)


@cache
def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def phrases(words: str) -> frozenset[str]:
    """Those between commas, in one spelling."""
    return frozenset(folded(word) for word in words.split(","))


def words_in(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:\.[a-z]+)*", plain(text))


def has_role(text: str) -> bool:
    """Whether a piece names a position: it has such a word, and is no sentence."""
    found = words_in(text)
    return len(found) <= 12 and any(
        each in listed(ROLES) or each.removesuffix("s") in listed(ROLES) for each in found
    )


def has_organization(text: str) -> bool:
    return any(word in listed(ORGANIZATIONS) for word in words_in(text))


def has_unit(text: str) -> bool:
    return any(word in listed(UNITS) for word in words_in(text))


def has_school(text: str) -> bool:
    return any(word in listed(SCHOOLS) for word in words_in(text))


def is_country(text: str) -> bool:
    """Whether a text is the name of a country, or of a state of a large one."""
    name = plain(text).strip(" .")
    return name in listed(PLACES) or name in COUNTRIES or text.strip(" .") in listed(STATES)
