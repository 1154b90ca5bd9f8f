"""Closed classes of words by which the names in a response are found."""

from typing import Final


def words(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


LINKS: Final = words(
    "is are was were be been being becomes became remains remained called named termed dubbed titled entitled"
    " means denotes spells"
    " est sont c'est c'était"
    " était étaient fut furent ist sind war waren heißt heißen es son fue era fueron eran é são foi"
    " eram è sono fu furono"
)
ALSO_NOUNS: Final = words("war son era")
"""Foreign links that are nouns in English."""
QUANTIFIERS: Final = words("each every some many most several any both few all")
"""Words before a noun that name nothing."""
GIVES: Final = words(
    "gives gave yields yielded returns returned prints printed outputs outputted displays shows produces produced"
    " represents indicates indicate names describes indicated represent describe secretes secrete"
    " releases release identifies"
    " demonstrates illustrates exemplifies"
)
"""Verbs whose object is what a sentence arrives at."""
TO: Final = words(
    "evaluates evaluate refers attributed belongs belong leads credited due amounts corresponds points awarded"
    " belonged referred pointed amounted corresponded goes went"
)
AS: Final = words("known classified described identified serves acts regarded defined")
MADE_OF: Final = words("city town village state country kingdom republic island planet element month year name title")
RANKS: Final = words("genus species family order phylum genre")
"""Ranks before the proper name of their member: `of the genus Anopheles`."""
RELATIVES_OF: Final = words(
    "relatives relative enemies enemy predators predator rivals rival cousins cousin descendants descendant ancestors"
    " ancestor friends hosts host parasites parasite neighbours neighbors opponents victims prey imitators mimics"
)
"""What belongs to another thing and is none of its members."""
TITLES: Final = words(
    "sir dr dame lord lady saint st prof professor king queen president emperor empress pope general captain"
    " admiral prince princess chancellor chief justice inspector colonel major judge senator minister secretary"
)
ADVERBS: Final = words(
    "therefore thus hence indeed clearly simply precisely exactly definitely certainly also now always again"
    " commonly formally"
    " generally officially typically primarily mainly chiefly correctly most donc also somit daher so quindi"
    " portanto entonces logo"
)
DETERMINERS: Final = words(
    "the a an its his her their our this that these those la le les l' un une el los las lo il gli i der die"
    " das den dem ein eine einen o os as um uma"
)
PREPOSITIONS: Final = words(
    "of in on at by from with to for during via into onto through under over between among about against within"
    " without near behind beyond"
    " across along around until till since before after upon per de del della du des von vom zu zum zur da do"
    " dos di en im em na no au aux dans sur"
    " par por pour für bei mit nach aus avec con"
)
OF: Final = words("of de von di du del")
RELATIVES: Final = words(
    "which who whom whose that where when because since as while whereas although though so and but if than"
    " quien que qui dont denn weil da porque car perché"
)
AUXILIARIES: Final = LINKS | words("has have had does did can will must contains holds carries hat haben ont tiene")
IRREGULAR: Final = words(
    "wrote won led made sang held built found began became took gave drew broke brought came ran grew wore flew shot"
    " taught fought bought sought caught met kept left sent spent stood struck sank swam rode rose felt fed"
    " bore bred chose dealt drove ate froze hid hung knew laid lent lit paid read rang rewrote sold shook"
    " slew spoke stole swore threw told understood wove overthrew underwent set put cut beat"
    " makes causes carries works fits applies wins comes runs lies leads"
)
PRONOUNS: Final = words(
    "it this that he she they there here we i you one these those what which who nothing something everything"
)
NO_AGENT: Final = words(
    "inspired influenced followed preceded succeeded replaced rejected opposed criticised criticized challenged"
    " disputed confused married"
    " bounded divisible limited increased decreased increases decreases exceeded separated rises falls drops"
    " grows scales differs"
    " taught supported edited translated adapted inhibited blocked defeated surrounded divided multiplied"
    " accompanied bordered joined"
)
"""Participles whose agent is none of who made or does a thing."""
COMPARED: Final = words(
    "similar related close compared opposed contrast next different distinct unlike along together competes"
    " compete begins starts rhymes interferes reacts"
    " differs combined paired mixed filled"
)
PARTICIPLES: Final = words("chosen born built made found held written led given taken won set begun drawn known shown")
"""Participles that begin a remark behind a comma and do not end like others: `Canberra, chosen in 1908`."""
SORTS_BEHIND: Final = words(
    "process structure reaction mechanism gate effect bond phase fallacy tense mood case voice state condition rhyme"
)
"""Nouns behind a name that only say what sort of thing it is: `an adiabatic process`."""
NARRATES: Final = words("narrates tells features portrays depicts introduces")
"""Verbs before the title of a work."""
STARTS: Final = words("begins begin starts start ends end stops stop")
"""Verbs before `at` and the place where something begins or ends."""
ORIGIN: Final = words("comes come came stems stammt originates originated taken derived hails kommt")
BESIDE_VERBS: Final = words("in on at with through via im auf durch en dans à")
"""Prepositions behind a verb before what is asked for: `is made in the liver`, `ended with the Peace of Westphalia`."""
INTO: Final = words(
    "flows flow empties empty drains drain runs discharges turns turned converted transformed changed develops"
)
BACK_TO: Final = words("goes dates traced harks went dating")
UNDER: Final = words(
    "falls fall kept excluded barred protected prohibited forbidden allowed admitted admissible liable known classified"
    " covered granted decided brought tried charged convicted inadmissible out"
    " valid void unconstitutional lawful unlawful"
)
"""Words before `under` and the rule or name by which something holds."""
HARD: Final = frozenset(",;:()[]–—.")
CODE_SORTS: Final = words(
    "clause command function method operator keyword statement flag option module library package class"
    " attribute property tag selector element gate type protocol header status code algorithm"
)
