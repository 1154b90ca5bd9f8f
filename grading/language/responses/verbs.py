"""Verbs behind which a sentence states a value, and nouns that are measured."""

import re
from typing import Final

MEASURED: Final = (
    r"(?:length|area|volume|mass|speed|velocity|radius|diameter|value|minimum|maximum|probability|period|slope|degree|rank"
    r"|measure|order|dimension|determinant|trace|perimeter|height|width|energy|force|charge|temperature|frequency|wavelength"
    r"|momentum|density|pressure|power|concentration|molarity|pH|mean|variance|median|weight|price|size|distance|norm|magnitude)"
)
_SAID: Final = (
    r"(?:follow|see|find|conclude|obtain|get|deduce|know|have|mean|give|show)s?\s+that(?=\W*[\ue000-\ue2ff])|"
    r"(?:is|are)\s+(?:isomorphic|equal|congruent(?=\s+to\b.*\bmod))\s+to|(?<=[Ii]t)['’]s|(?<=[Tt]hat)['’]s|is|are|equals?|was|were|must\s+(?:be|equal)|ha(?:s|ve)\s+to\s+(?:be|equal)|be|there\s+exists?|"
    rf"has\s+(?:equation|{MEASURED})|"
    rf"(?:has|with)\s+(?:an?|the)\s+(?:\w+\s+){{0,3}}?{MEASURED}\s+of|"
    r"have|has|gives?\s+us|gives?|get|gets|obtains?|finds?|yields?|becomes|remains?|makes?|contains?|needs?|weighs?|measures?|"
    r"(?:costs?|takes?)(?:\s+(?:him|her|them|us|me|you|one))?|earns?|pays?|spends?|got|found|counts?|exists?|"
    r"(?:comes?|works?)\s+out\s+(?:as|at|to(?:\s+be)?)|"
    r"(?:stands?|settles?|sits?|remains?|levels?\s+off|stabili[sz]es?|comes?\s+in|ends?\s+up|is\s+(?:located|centred|centered|situated)|(?:is|are))\s+at|"
    r"(?:meets?|intersects?|crosses|touches|cuts)\s+(?:(?:the|each|one)\s+)?(?:[\ue000-\ue2ff]-?)?\s*(?:[a-z]+\s+){0,2}(?:at|in)(?:\s+the\s+point|\s+an\s+angle\s+of)?|"
    r"(?:brings?|takes?|raises?|puts?)\s+(?:the|our|its|his|her)\s+\w+\s+to|traces?\s+out|reads?\s+off|"
    r"(?:stops?|ends?|terminates?|finish(?:es)?|halts?)\s+after|at\s+an\s+angle\s+of|"
    r"(?:arrives?\s+at|reach(?:es)?|(?:converges?|works?\s+out|work|leads?|comes?|amounts?)\s+to|obtains?|gives?|yields?|needs?)\s+(?:an?|the)\s+"
    rf"(?:\w+\s+){{0,2}}?(?:{MEASURED}|total|count|result|sum|score|answer|profit|cost)\s+of|"
    r"(?:rose|rises?|f[ea]ll(?:s|en)?|gr[eo]ws?|increased|decreased|dropped|shrank|shrinks?|changed)\s+by|"
    r"(?:converges?|holds?|(?:is|are)\s+(?:defined|valid|true|satisfied|positive|negative|increasing|decreasing|solvable))\s+"
    r"(?:(?:precisely|exactly|just)\s+(?:for|when|if|on|in|at)|if\s+and\s+only\s+if|iff|only\s+for)|"
    r"(?:leaves?|hits?|strikes?|reach(?:es)?|enters?|exits?|pass(?:es)?)\s+(?:the\s+\w+\s+){1,2}(?:at|with)|"
    r"(?:telescopes?|collapses?|boils?\s+down|expands?|comes?\s+down|converges|comes|amounts|evaluates|simplifies|reduces|tends|adds\s+up|sums|diverges)\s+to|(?:ends?|ended)\s+up\s+with|"
    r"lea(?:ves|ving)\s+(?:us\s+with\s+)?(?:just|only)\s+(?:one|a\s+single)\s+(?:option|possibility|candidate|choice|value|case)\s*[:,—–]|"
    r"(?:returns|prints|outputs|displays)(?=\W+(?:[-−]?\d|\ue000))|giving|happened\s+in|in(?=\s+\d{4}\W*$)|at\s+the\s+point|in\s+the\s+ratio|holds\s+for|lea(?:ves|ving)(?:\s+(?:us|him|her|them))?(?:\s+with)?"
    r"|(?:experiences?|attains?|feels?|develops?|provides?|supplies|delivers?|generates?|dissipates?|undergoes|stores?|exhibits?|carries|withstands)\s+an?\s+(?:[a-z-]+\s+){1,3}of"
    r"|left\s+with|can\s+(?:also\s+|thus\s+|then\s+)?be\s+(?:written|expressed)\s+as|behaves?\s+(?:like|as)|(?:meet|intersect|lies|hits\s+the\s+ground|strikes\s+the\s+ground)\s+at|does(?=\s+[-−]?\d)|"
    r"(?:increases?|decreases?|changes?|grows?|rises?|falls?|drops?)\s+by|"
    r"(?:moves?|moving|travels?|travell?ing|accelerates?|accelerating|flows?|flowing|drives?|driving|runs?|running|rotates?"
    r"|rotating|spins?|spinning|oscillates?|vibrates?|falls?|falling|rises?|rising|decays?)\s+(?:(?:\w+ly|together|apart|along|off|away|(?:down|up|along|around|round|through|across|towards?)\s+(?:the|its|this)\s+[a-z]+)\s+)?at|"
    r"factor(?:s|ises|izes)\s+(?:as|into|to)|"
    r"(?:falls?|fallen|travels?|travelled|covers?|covered|lasts?|lasted|rises?|risen|moves?|moved|walk(?:s|ed)|r[ua]ns?|drives?|drove|rode"
    r"|buys?|bought|sells?|sold|paid|spent|earned|ate|eats?|drank|reads?|wrote|writes?|baked?|bakes|carr(?:y|ies|ied)|holds?|held|uses?|used"
    r"|saves?|saved|collect(?:s|ed)|receive[sd]?|wins?|won|score[sd]?|gave|sent|visit(?:s|ed)|plant(?:s|ed)|pick(?:s|ed)|caught|built|produce[sd]?"
    r"|solve[sd]?|owns?|owned|contain(?:s|ed))(?=\s+[-−]?[$€£]?\d)"
)
_FOREIGN_SAID: Final = (
    r"il\s+y\s+(?:en\s+)?a(?:\s+(?:donc|alors|ainsi|exactement|en\s+tout)){0,2}|er\s+zijn(?:\s+(?:dus|in\s+totaal|precies)){0,2}"
    r"|gilt(?:\s+also)?|bedraagt|"
    r"il\s+existe(?:\s+exactement)?|(?:es\s+)?existieren(?:\s+genau)?|(?:on\s+)?(?:obtient|trouve)(?:\s+donc)?|existen|"
    r"(?:es\s+gibt|gibt\s+es|hay|existen|existem|há|esistono|ci\s+sono)"
    r"(?:\s+(?:genau|also|somit|insgesamt|exactamente|exatamente|entonces|portanto|esattamente|quindi|dunque|in\s+tutto)){0,2}|"
    r"(?:possède|besitzt|hat|tiene|tem|possiede|heeft)(?:\s+(?:exactement|genau|exactamente|exatamente|esattamente|precies))?|misst|ergeben|existent|existem|restent|bleiben|gibt\s+es|est\s+(?:donc\s+|alors\s+)?(?:de|égale?\s+à)|(?:es|é)\s+igual\s+a|è\s+(?:uguale|pari)\s+a|ist\s+gleich|est|sont|vaut|ist|sind|beträgt|ergibt|il\s+y\s+a|es\s+de|es|son|"
    r"obtient|trouve|erhält\s+man|bekommen|volgt|krijgen|obtenemos|obtiene|ottiene|erhalten|erhält|é\s+de|é|são|è|sono|vale|равен|равна|равно|составляет|всего"
    r"|(?:dauert|wiegt|kostet|entspricht|dure|pèse|mesure|coûte|correspond\s+à|équivaut\s+à|dura|pesa|mide|cuesta|equivale\s+al?|corresponde\s+al?"
    r"|representa|mede|custa|misura|costa|corrisponde\s+a|rappresenta|duurt|weegt|kost|komt\s+overeen\s+met)"
    r"(?=\s+(?:(?:etwa|rund|genau|environ|exactement|unos|circa|cerca\s+de|un|ungefähr)\s+)?(?:[-−$]?\d|[\ue000-\ue2ff]))"
)
VERB: Final = re.compile(rf"(?:(?<![!<>:])[=≈]|\b(?:{_SAID}|{_FOREIGN_SAID})(?=\W|$))\s*[:：=]?", re.IGNORECASE)
FOREIGN_VERB: Final = re.compile(rf"^(?:{_FOREIGN_SAID})(?=\W|$)", re.IGNORECASE)
