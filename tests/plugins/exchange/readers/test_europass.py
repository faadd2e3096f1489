"""Europass: version 3 as XML and as JSON tell the same, and the Candidate of today."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.line_entries import tidy_notation
from kg.plugins.exchange.source_files import NotImported, SourceFile
from tests.plugins.exchange.readers.reading import cv_of, drafted, left_of

XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<SkillsPassport xmlns="http://europass.cedefop.europa.eu/Europass" locale="en">
 <DocumentInfo><DocumentType>ECV</DocumentType></DocumentInfo>
 <LearnerInfo>
  <Identification>
   <PersonName><FirstName>Mira</FirstName><Surname>Sand</Surname></PersonName>
   <ContactInfo>
    <Address><Contact><AddressLine>Stone Street 1</AddressLine><PostalCode>0150</PostalCode>
     <Municipality>Oslo</Municipality><Country><Code>NO</Code><Label>Norway</Label></Country>
    </Contact></Address>
    <Email><Contact>mira@example.org</Contact></Email>
    <TelephoneList><Telephone><Contact>+47 22 00 00 00</Contact>
     <Use><Code>home</Code><Label>Home</Label></Use></Telephone></TelephoneList>
   </ContactInfo>
   <Demographics><Birthdate year="1979" month="--03" day="---14"/>
    <Gender><Code>F</Code><Label>Female</Label></Gender></Demographics>
   <Photo><MimeType>image/jpeg</MimeType><Data>AAAA</Data></Photo>
  </Identification>
  <Headline><Type><Code>position</Code></Type>
   <Description><Label>Geologist</Label></Description></Headline>
  <WorkExperienceList>
   <WorkExperience>
    <Period><From year="2019" month="--06"/><Current>true</Current></Period>
    <Position><Label>Researcher</Label></Position>
    <Activities>&lt;ul&gt;&lt;li&gt;Found &lt;b&gt;stones&lt;/b&gt;&lt;/li&gt;&lt;li&gt;Lost
     some&lt;/li&gt;&lt;/ul&gt;</Activities>
    <Employer><Name>Stone Institute</Name><Sector><Label>Mining</Label></Sector></Employer>
   </WorkExperience>
  </WorkExperienceList>
  <EducationList>
   <Education>
    <Period><From year="2010"/><To year="2012"/><Current>false</Current></Period>
    <Title>MSc Geology</Title><Organisation><Name>University of Oslo</Name></Organisation>
    <Level><Code>7</Code><Label>EQF level 7</Label></Level>
   </Education>
  </EducationList>
  <Skills>
   <Linguistic>
    <MotherTongueList><MotherTongue><Description><Label>Norwegian</Label></Description>
     </MotherTongue></MotherTongueList>
    <ForeignLanguageList><ForeignLanguage><Description><Label>French</Label></Description>
     <ProficiencyLevel><Listening>C1</Listening><Reading>C2</Reading>
      <SpokenInteraction>B2</SpokenInteraction><SpokenProduction>B1</SpokenProduction>
      <Writing>B2</Writing></ProficiencyLevel>
     <VerifiedBy><Certificate><Title>DALF</Title><Date year="2003" month="--05"/></Certificate>
     </VerifiedBy></ForeignLanguage></ForeignLanguageList>
   </Linguistic>
   <Driving><Description><Licence>B</Licence></Description></Driving>
  </Skills>
  <AchievementList><Achievement><Title><Label>Publications</Label></Title>
   <Description>Stones, 2021</Description></Achievement></AchievementList>
 </LearnerInfo>
</SkillsPassport>
"""
CANDIDATE = """\
<Candidate xmlns="http://www.europass.eu/1.0" xmlns:oa="http://www.openapplications.org/oagis/9"
 xmlns:hr="http://www.hr-xml.org/3" xmlns:eures="http://www.europass_eures.eu/1.0">
 <CandidatePerson>
  <PersonName><oa:GivenName>Mira</oa:GivenName><hr:FamilyName>Sand</hr:FamilyName></PersonName>
  <Communication><ChannelCode>Email</ChannelCode><oa:URI>mira@example.org</oa:URI></Communication>
  <Communication><ChannelCode>Telephone</ChannelCode><UseCode>mobile</UseCode>
   <CountryDialing>47</CountryDialing><oa:DialNumber>22000000</oa:DialNumber></Communication>
  <Communication><ChannelCode>Social Media</ChannelCode><UseCode>linkedin</UseCode>
   <oa:URI>https://www.linkedin.com/in/mirasand/</oa:URI></Communication>
  <Communication><Address type="home"><oa:CityName>Oslo</oa:CityName>
   <CountryCode>no</CountryCode></Address></Communication>
  <hr:BirthDate>1979-03-14</hr:BirthDate>
  <PrimaryLanguageCode name="NORMAL">nor</PrimaryLanguageCode>
 </CandidatePerson>
 <CandidateProfile languageCode="en">
  <EmploymentHistory><EmployerHistory>
   <hr:OrganizationName>Stone Institute</hr:OrganizationName>
   <PositionHistory><PositionTitle typeCode="FREETEXT">Researcher</PositionTitle>
    <eures:EmploymentPeriod><eures:StartDate><hr:FormattedDateTime>2019-06</hr:FormattedDateTime>
     </eures:StartDate><hr:CurrentIndicator>true</hr:CurrentIndicator></eures:EmploymentPeriod>
    <oa:Description>&lt;p&gt;Found &lt;i&gt;stones&lt;/i&gt;&lt;/p&gt;</oa:Description>
   </PositionHistory></EmployerHistory></EmploymentHistory>
  <PersonQualifications><PersonCompetency>
   <hr:CompetencyID schemeName="NORMAL">eng</hr:CompetencyID><hr:TaxonomyID>language</hr:TaxonomyID>
   <eures:CompetencyDimension>
    <hr:CompetencyDimensionTypeCode>CEF-Writing-Production</hr:CompetencyDimensionTypeCode>
    <eures:Score><hr:ScoreText>C1</hr:ScoreText></eures:Score></eures:CompetencyDimension>
  </PersonCompetency></PersonQualifications>
  <DigitalSkills>
   <DigitalSkillsGroup><Title>Maps</Title><DigitalSkill>QGIS</DigitalSkill>
    <DigitalSkill>GRASS</DigitalSkill></DigitalSkillsGroup>
   <DigitalSkillsGroup><DigitalSkill>Python</DigitalSkill></DigitalSkillsGroup>
  </DigitalSkills>
  <Others><Title>Field trips</Title><Other><Title>Svalbard</Title>
   <Description>By boat</Description></Other></Others>
 </CandidateProfile>
</Candidate>
"""


def of(text: str, path: str = "cv.xml") -> Any:
    return cv_of(drafted("europass", path, text))


def test_the_person_with_all_that_is_private() -> None:
    assert of(XML)["basics"] == {
        "name": "Mira Sand",
        "givenName": "Mira",
        "familyName": "Sand",
        "location": "Oslo, Norway",
        "address": {
            "street": "Stone Street 1",
            "postalCode": "0150",
            "city": "Oslo",
            "visibility": "private",
        },
        "email": {"value": "mira@example.org", "visibility": "private"},
        "phone": {"value": "+47 22 00 00 00", "visibility": "private", "label": "Home"},
        "birthDate": {"value": "1979-03-14", "visibility": "private"},
        "gender": {"value": "Female", "visibility": "private"},
        "label": "Geologist",
    }


def test_html_in_a_description_is_markdown() -> None:
    assert of(XML)["work"] == [
        {
            "organization": "Stone Institute",
            "position": "Researcher",
            "startDate": "2019-06",
            "endDate": "present",
            "highlights": ["Found **stones**", "Lost some"],
        }
    ]


def test_studies_languages_certificates_and_free_sections() -> None:
    cv = of(XML)
    assert cv["education"] == [
        {
            "institution": "University of Oslo",
            "studyType": "MSc Geology",
            "level": "master",
            "startDate": "2010",
            "endDate": "2012",
        }
    ]
    assert cv["languages"] == [
        {"language": "Norwegian", "level": "native"},
        {
            "language": "French",
            "listening": "C1",
            "reading": "C2",
            "writing": "B2",
            "speaking": "B2 / B1",
        },
    ]
    assert cv["certificates"] == [{"name": "DALF", "date": "2003-05"}]
    assert {each["title"]: each["entries"] for each in cv["sections"]} == {
        "Driving licence": ["B"],
        "Publications": ["Stones, 2021"],
    }


def test_what_has_no_field_is_listed_with_its_line() -> None:
    draft = drafted("europass", "cv.xml", XML)
    path = "SkillsPassport.LearnerInfo.WorkExperience.Employer.Sector"
    assert left_of(draft) == {path: "Mining"}
    assert draft.left[0].value.place.line == 27


def test_the_json_twin_tells_the_same() -> None:
    twin = {
        "SkillsPassport": {
            "Locale": "en",
            "LearnerInfo": {
                "Identification": {"PersonName": {"FirstName": "Mira", "Surname": "Sand"}},
                "WorkExperience": [
                    {
                        "Period": {"From": {"Year": 2019, "Month": 6}, "Current": True},
                        "Position": {"Label": "Researcher"},
                        "Employer": {"Name": "Stone Institute"},
                    }
                ],
            },
        }
    }
    cv = of(json.dumps(twin), "cv.json")
    work = of(XML)["work"][0]
    assert cv["work"] == [{name: work[name] for name in work if name != "highlights"}]


def test_the_candidate_of_today() -> None:
    draft = drafted("europass", "attachment.xml", CANDIDATE)
    tidy_notation(draft)
    cv = cv_of(draft)
    assert not draft.left
    assert cv["basics"]["name"] == "Mira Sand"
    assert cv["basics"]["location"] == "Oslo, Norway"
    assert cv["basics"]["phone"] == {
        "value": "+47 22000000",
        "visibility": "private",
        "label": "mobile",
    }
    assert cv["basics"]["profiles"] == [
        {"network": "linkedin", "url": "https://www.linkedin.com/in/mirasand/"}
    ]
    assert cv["work"] == [
        {
            "organization": "Stone Institute",
            "position": "Researcher",
            "startDate": "2019-06",
            "endDate": "present",
            "summary": "Found *stones*",
        }
    ]
    assert cv["languages"] == [
        {"language": "Norwegian", "level": "native"},
        {"language": "English", "writing": "C1"},
    ]
    assert cv["skills"] == [{"name": "Maps", "keywords": ["QGIS", "GRASS"]}, {"name": "Python"}]
    assert cv["sections"] == [
        {"title": "Field trips", "entries": [{"name": "Svalbard", "summary": "By boat"}]}
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (XML[:-20], "cannot read the XML"),
        (XML.replace("?>\n", '?>\n<!DOCTYPE x [<!ENTITY a "aaaa">]>\n', 1), "entities"),
        (XML.replace("<LearnerInfo>", "<LearnerInfo>" + "<a>" * 200), "nested too deeply"),
    ],
)
def test_broken_xml_is_refused_in_words(text: str, message: str) -> None:
    source = SourceFile("cv.xml", "cv.xml", text.encode())
    found = detect_format(source)
    assert found is not None
    with pytest.raises(NotImported, match=message):
        list(found.read(source))


def test_a_country_alone_is_a_location_and_no_address() -> None:
    xml = """<Candidate xmlns="http://www.europass.eu/1.0"><CandidatePerson>
      <PersonName><GivenName>Mira</GivenName></PersonName>
      <Communication><Address type="home"><CountryCode>no</CountryCode></Address></Communication>
    </CandidatePerson></Candidate>"""
    draft = drafted("europass", "cv.xml", xml)
    assert cv_of(draft) == {
        "basics": {"name": "Mira", "givenName": "Mira", "location": "Norway"},
    }
    assert left_of(draft) == {}
