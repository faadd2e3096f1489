"""Built-in questions as methods, for type checkers. Written by `make reference`."""

import datetime
from typing import TypeAlias

from kg.answer_table import AnswerTable
from kg.graph.linked_things import Thing

Day: TypeAlias = str | datetime.date
Number: TypeAlias = int | float | str
Entry: TypeAlias = str | Thing

class QuestionMethods:
    def acceptance_rates(self) -> AnswerTable:
        """What are the acceptance rates of conferences?"""

    def advisors(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who advised whom?

        Args:
            person: student or mentee (person)
        """

    def alumni(self, *, person: Entry | None = ...) -> AnswerTable:
        """Where are our students and mentees now?

        Args:
            person: advisor or mentor (person)
        """

    def attendance(self, *, person: Entry | None = ...) -> AnswerTable:
        """How many people attended our tutorials? A figure such as 100+ is a minimum, so a sum is
        one, too. Times without a figure are not in the sum.

        Args:
            person: presenter (person)
        """

    def author_positions(self, *, person: Entry | None = ...) -> AnswerTable:
        """How often are we first, middle, last or sole author?

        Args:
            person: author (person)
        """

    def awards(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who won which awards?

        Args:
            person: recipient (person)
        """

    def career_of(self, *, person: Entry) -> AnswerTable:
        """Where has this person worked and studied?

        Args:
            person: person to look up (person)
        """

    def coauthor_chain(self, *, person: Entry, other: Entry) -> AnswerTable:
        """How are two people connected through co-authors? A shortest chain, of up to four steps,
        with the works that join each pair. The question in-common shows what else two people
        share.

        Args:
            person: first person (person)
            other: second person (person)
        """

    def coauthors_of(self, *, person: Entry) -> AnswerTable:
        """Who has this person written with?

        Args:
            person: author (person)
        """

    def coauthors(self) -> AnswerTable:
        """Who are our co-authors?"""

    def committees(self) -> AnswerTable:
        """Who served on whose dissertation committee?"""

    def common_venues(self) -> AnswerTable:
        """Where have several members published?"""

    def contributors(self, *, system: Entry) -> AnswerTable:
        """Who worked on this system?

        Args:
            system: software or system (software)
        """

    def course_runs(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who taught which courses, and when?

        Args:
            person: instructor (person)
        """

    def current_employers(self, *, organization: Entry | None = ...) -> AnswerTable:
        """Who works where now?

        Args:
            organization: employer, or a unit of it (organization)
        """

    def degrees(self, *, organization: Entry | None = ...) -> AnswerTable:
        """Who earned which degree, where and when?

        Args:
            organization: university or school (organization)
        """

    def equal_contributions(self) -> AnswerTable:
        """Which authors contributed equally?"""

    def first_author(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which papers have one of us as first author?

        Args:
            person: first author (person)
        """

    def from_source(self, *, source: Entry) -> AnswerTable:
        """Which facts come from this source? The facts of the first 500 entries, in the order of
        their addresses. The question sources counts all of them.

        Args:
            source: source document (source)
        """

    def grades(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which grades did we get in our studies?

        Args:
            person: student (person)
        """

    def grants(self, *, person: Entry | None = ..., funder: Entry | None = ...) -> AnswerTable:
        """Which grants do we have?

        Args:
            person: investigator or team member (person)
            funder: funder (organization)
        """

    def happened_since(self, *, since: Day, person: Entry | None = ...) -> AnswerTable:
        """What has happened since this date? Works, talks, awards, degrees, press and news since
        that date, and positions, services and grants that began after it, newest first. Entries
        dated by year only are included if part of that year is after the date.

        Args:
            since: start date (date)
            person: person involved (person)
        """

    def identifiers(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which identifiers do works have? DOIs, arXiv numbers, ISBNs, and numbers of reports and
        patents. A paper in a book has the ISBN of the book.

        Args:
            person: author or editor (person)
        """

    def in_common(self, *, person: Entry, other: Entry) -> AnswerTable:
        """What do two people have in common? Joint works, shared co-authors, mentoring, the years
        at the same employer or school, venues that both took part in, and topics that both know
        about.

        Args:
            person: first person (person)
            other: second person (person)
        """

    def internships(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who did which internships?

        Args:
            person: intern (person)
        """

    def languages(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who speaks which languages?

        Args:
            person: person to look up (person)
        """

    def mentees_as_coauthors(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which mentees have published with their mentor?

        Args:
            person: mentor (person)
        """

    def mentees(self, *, person: Entry | None = ..., date: Day) -> AnswerTable:
        """Who were the students and mentees at this date? Those whose dates include it. The
        question alumni also lists those without dates.

        Args:
            person: advisor or mentor (person)
            date: day, month or year (date)
        """

    def not_yet_published(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which works are forthcoming or preprints? Preprints of works that have since been
        published are left out.

        Args:
            person: author (person)
        """

    def organizations(self) -> AnswerTable:
        """Which units does each organisation have?"""

    def papers_per_venue(self, *, person: Entry | None = ...) -> AnswerTable:
        """How many papers appeared at each venue, by year?

        Args:
            person: author (person)
        """

    def papers_per_year(self, *, person: Entry | None = ...) -> AnswerTable:
        """How many works appeared each year?

        Args:
            person: author (person)
        """

    def patents(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who invented which patents?

        Args:
            person: inventor (person)
        """

    def places(self, *, person: Entry | None = ..., place: Entry | None = ...) -> AnswerTable:
        """Who was at which places? The places that a CV states for the home, for positions and for
        studies, and those of meetings at which the person had a part.

        Args:
            person: person to look up (person)
            place: town (place)
        """

    def positions_at(self, *, date: Day) -> AnswerTable:
        """Who worked where on this date?

        Args:
            date: day, month or year (date)
        """

    def press_about(
        self,
        *,
        system: Entry | None = ...,
        person: Entry | None = ...,
        since: Day | None = ...,
        before: Day | None = ...,
    ) -> AnswerTable:
        """What has the press written about a system or a person?

        Args:
            system: software or system (software)
            person: person in the article, or whose CV lists it (person)
            since: day from which it appeared (date)
            before: day before which it appeared (date)
        """

    def printed_names(self, *, person: Entry) -> AnswerTable:
        """Under which names has this person published?

        Args:
            person: author (person)
        """

    def recent_collaborators(
        self,
        *,
        person: Entry,
        date: Day,
        months: Number | None = ...,
    ) -> AnswerTable:
        """Who are this person's recent collaborators? For conflict-of-interest declarations: co-
        authors, advisors, mentees and team members of the last 48 months (or another number),
        with the latest known date. Undated collaborations may be recent and are included.

        Args:
            person: person to look up (person)
            date: date to count back from (date)
            months: number of months (number)
        """

    def same_workplace(self, *, person: Entry, organization: Entry | None = ...) -> AnswerTable:
        """Who were this person's colleagues? People who worked in the same organisation at the
        same time, as far as the dates show; a year without months counts as a whole. The place
        is the smallest unit that both belonged to.

        Args:
            person: person to look up (person)
            organization: organisation or unit (organization)
        """

    def service_load(self, *, person: Entry | None = ...) -> AnswerTable:
        """How much service does each of us do each year? Reviewing for one venue, a committee, a
        chair and an editorship each count once for every year they last.

        Args:
            person: person to look up (person)
        """

    def service(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who served at which venues?

        Args:
            person: reviewer, editor or committee member (person)
        """

    def shared_coauthors(self, *, person: Entry, other: Entry) -> AnswerTable:
        """Which co-authors do two people share?

        Args:
            person: first person (person)
            other: second person (person)
        """

    def should_meet(self, *, person: Entry, least: Number | None = ...) -> AnswerTable:
        """Who shares co-authors with this person but has never written with them?

        Args:
            person: person to look up (person)
            least: minimum number of shared co-authors (number)
        """

    def skills(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who has which skills?

        Args:
            person: person to look up (person)
        """

    def sources(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which sources do the facts come from?

        Args:
            person: person described (person)
        """

    def studied_and_worked(self, *, school: Entry, employer: Entry) -> AnswerTable:
        """Who studied at one place and worked at another?

        Args:
            school: university or school (organization)
            employer: employer (organization)
        """

    def talks(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who gave which talks?

        Args:
            person: speaker (person)
        """

    def theses(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who wrote which theses?

        Args:
            person: author (person)
        """

    def topics_by_year(
        self,
        *,
        topic: Entry | None = ...,
        person: Entry | None = ...,
    ) -> AnswerTable:
        """Which topics did we work on each year? Positions and studies count in every year they
        last; talks and works in the year of their date.

        Args:
            topic: topic of interest (topic)
            person: person to look up (person)
        """

    def tutorials(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who gave which tutorials?

        Args:
            person: presenter (person)
        """

    def undated(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which CV entries have no date?

        Args:
            person: person with the CV (person)
        """

    def venue_history(self, *, venue: Entry, person: Entry | None = ...) -> AnswerTable:
        """What have we done at this venue? Works, talks, tutorials, reviews, committees and
        volunteering at the editions of a conference or in a journal, newest first.

        Args:
            venue: conference or journal (venue)
            person: person involved (person)
        """

    def who_is_in(self, *, place: Entry | None = ...) -> AnswerTable:
        """Who is in this town now? People who live there or have a position or studies there that
        go on, as far as their CVs state the place.

        Args:
            place: town (place)
        """

    def who_to_ask(self, *, topic: Entry) -> AnswerTable:
        """Who knows about this topic? People with their evidence: interests, skills, positions,
        studies, talks, works and grants. Those with most entries come first. A work counts if
        the topic is among its keywords, a grant if it funded such a work.

        Args:
            topic: topic of interest (topic)
        """

    def who_was_at(self, *, organization: Entry, month: Day) -> AnswerTable:
        """Who was at this organisation at this time?

        Args:
            organization: organisation, including its units (organization)
            month: month, day or year (date)
        """

    def who_was_where(self, *, person: Entry | None = ...) -> AnswerTable:
        """Who worked where, and when?

        Args:
            person: person to look up (person)
        """

    def works_without_link(self, *, person: Entry | None = ...) -> AnswerTable:
        """Which works have no DOI or other link?

        Args:
            person: author (person)
        """

    def yearly_report(
        self,
        *,
        year: Number | None = ...,
        organization: Entry | None = ...,
        person: Entry | None = ...,
    ) -> AnswerTable:
        """What did each of us do in a year, in numbers? Works, talks, awards, services, courses,
        mentees and grants, per person and year; services, mentees and grants count in every
        year they last. With an organisation, only people who were there in that year are
        counted.

        Args:
            year: year of the report (number)
            organization: group or organisation (organization)
            person: person to report on (person)
        """
