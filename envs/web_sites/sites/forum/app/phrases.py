"""What members write: titles and sentences with places for a board's words. All written for this project.

`{thing}`, `{other}`, `{job}`, `{trouble}` are the board's words, `{Thing}` the same with a capital; `{town}`, `{n}`,
`{product}` and `{nick}` are drawn.
"""

QUESTION_TITLES = (
    "How do you {job}?",
    "Is there an easy way to {job}?",
    "{Trouble}: what now?",
    "{Trouble} after I tried to {job}",
    "{Thing} or {other}?",
    "First {thing}: what should I look for?",
    "Help with {trouble}, please",
    "What do you use instead of {thing}?",
    "Cannot {job} in winter",
    "How often do you {job}?",
    "Second-hand {thing}: worth the risk?",
    "{Trouble} since I changed the {thing}",
    "Who has tried to {job} without {thing}?",
    "Newcomer asks: {thing}",
    "Where to buy {thing} near {town}?",
    "Too old to learn to {job}?",
)
SHOW_TITLES = (
    "My {thing}, finished at last",
    "How I learned to {job}",
    "A year with one {thing}",
    "What I made of an old {thing}",
    "I managed to {job}!",
    "Small victory over {trouble}",
    "The week I tried to {job} every day",
    "Before and after: {thing}",
)
TIP_TITLES = (
    "A trick against {trouble}",
    "To {job}, start the day before",
    "Three rules for {thing}",
    "What nobody tells you about {thing}",
    "{Trouble}? Look at the {thing} first",
    "Cheap substitute for {thing}",
    "My checklist before I {job}",
)
TALK_TITLES = (
    "Does anybody still {job}?",
    "Your worst {thing} story",
    "What was your first {thing}?",
    "The {thing} you would never lend",
    "Do we talk too much about {thing}?",
    "Plans for the season: {job}",
    "What {trouble} taught me",
)
REVIEW_TITLES = (
    "{product}: after {n} months",
    "Review: {product}",
    "{product}, an honest look",
    "{n} months with {product}",
)
SALE_TITLES = ("For sale: {product}", "Selling my {product}", "{product} looks for a new home")
MEETING_TITLES = (
    "Meeting in {town}: {thing}",
    "{town} get-together: learn to {job}",
    "Open evening in {town}: {thing}",
)
POLL_TITLES = ("Poll: {thing} or {other}?", "Vote: what matters most with {thing}?", "Poll: which one would you save?")

OPENING = {
    "question": (
        "I have been trying to {job} for {n} weeks and I keep meeting {trouble}.",
        "My {thing} is {n} years old, and lately there is {trouble}.",
        "A neighbour told me to change the {thing}, but I am not sure.",
        "I read that {other} helps, yet nobody says how to {job} with it.",
        "Before I spend money on {thing} I would like to hear from you.",
        "Everything went well until {trouble} showed up.",
        "What would you check first?",
        "Is this normal, or have I missed a step?",
        "I can try things out at the weekend and report.",
    ),
    "show": (
        "It took {n} evenings, and I would do it again.",
        "I started with a borrowed {thing} and no idea how to {job}.",
        "The hardest part was {trouble}.",
        "In the end the {other} made the difference.",
        "Next time I will {job} before anything else.",
        "My family is tired of hearing about {thing}, so I tell you.",
    ),
    "tip": (
        "It is simple: {job}, wait a day, then look at the {thing}.",
        "Since I do this I have had no more {trouble}.",
        "You need {thing}, {other} and about {n} minutes.",
        "I learned it from an old member of our club in {town}.",
        "It does not work with a cheap {thing}.",
    ),
    "talk": (
        "I was wondering about this on the way home.",
        "My first {thing} lasted {n} years.",
        "Some of you {job} every week, I know.",
        "I never got over {trouble}.",
        "Tell me I am not alone.",
    ),
}
REPLY = (
    "I had {trouble} too, and a new {thing} solved it.",
    "Try to {job} first and see whether it is still there.",
    "In my view {other} matters more than {thing}.",
    "We talked about this in our club in {town} the other day.",
    "Give it {n} days before you change anything.",
    "No need to buy {thing} for that.",
    "My {thing} does the same when the weather turns.",
    "I would ask somebody to show you how to {job}.",
    "That is exactly how I do it.",
    "I see it the other way round: {trouble} comes first.",
    "Thank you, this saved me a weekend.",
    "It took me {n} tries, so do not give up.",
    "Could you tell us which {thing} you have?",
    "The {other} is the usual suspect.",
    "I sold my {thing} because of {trouble}.",
    "Whoever can {job} has nothing to fear.",
    "Cold weather makes {trouble} worse.",
    "There is no shortcut here, you simply have to {job}.",
    "I paid far too much for my {thing}, learn from me.",
    "Take notes, it helps more than any {other}.",
    "A drop less and a little slower, that is all.",
    "Somebody in {town} repairs {thing} for small money.",
    "I am not convinced, but I will try.",
    "Good question, I would like to know that too.",
    "Half of the {trouble} I had was my own impatience.",
    "Check the {other} first, then the {thing}.",
    "With {thing} from the flea market it will not work.",
    "My grandmother could {job} without looking.",
    "Please keep us posted.",
    "I did the same last year and regretted it.",
)
ANSWERS = ("@{nick} that is right.", "@{nick} I do not agree.", "@{nick} thank you!", "@{nick} which one do you mean?")
REVIEWED = (
    "I bought the {product} in {town} for {price} euros and have used it for {n} months.",
    "The {thing} is well made, though {trouble} is not ruled out.",
    "It is easy to {job} with it.",
    "Out of ten I give it {rating}.",
)
SOLD = (
    "I am selling my {product}, used for {n} months.",
    "The price is {price} euros, to be collected in {town}.",
    "I have stopped trying to {job}, so it should find a better home.",
)
MEETING = (
    "We meet on {day} at {hour}:00 at the {venue} in {town}.",
    "Bring your {thing} if you have one; we will {job} together.",
    "There is room for {places} people.",
)
VENUES = ("Old Mill", "station cafe", "town library", "boat house", "school kitchen", "Green Lantern", "village hall")
GREETINGS = ("", "", "Hi all,", "Hello everybody,", "Good morning,", "Evening all,", "Dear friends,", "Hey,")
FAREWELLS = ("", "", "", "Cheers!", "Kind regards", "All the best", "Thanks in advance", "See you around")
MESSAGE_TITLES = (
    "About your {thing}",
    "Can you teach me to {job}?",
    "Lift to {town}",
    "Your {thing} offer",
    "Question about {trouble}",
    "Thanks for the {thing}",
    "Date for {town}",
)
MESSAGES = (
    "I saw your post about {thing} and wanted to ask something in private.",
    "Could we meet in {town} next week?",
    "I would take it for {price} euros, if it is still there.",
    "My number in the club list ends in {code}.",
    "Let me know by the {ordinal}.",
    "It works again since I managed to {job}.",
    "The gate code is {code}, please do not pass it on.",
)
