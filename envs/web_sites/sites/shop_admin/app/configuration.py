"""The shop's pages, settings and staff."""

from dataclasses import dataclass

from small_site import Reply, Request, see, wrong

from .core import application, managers_only, paragraphs, plain, render

ROLES = ("manager", "clerk")


@dataclass(frozen=True)
class Setting:
    """A setting: its name, its label, and its choices or bounds; with neither it is a text."""

    name: str
    label: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


SETTINGS = (
    Setting("announcement", "Announcement on the shop's pages"),
    Setting("contact_email", "E-mail address for customers"),
    Setting("contact_phone", "Telephone for customers"),
    Setting("low_stock", "Stock that counts as low", low=1, high=100),
    Setting("orders_per_page", "Orders on a page", low=5, high=100),
    Setting("return_days", "Days in which goods can be returned", low=7, high=90),
    Setting("reviews_by_newcomers", "Reviews by new customers", ("wait", "appear at once")),
)


@application.page("/pages/")
def pages(request: Request) -> str:
    """The shop's own texts."""
    return render(request, "pages.html", rows=request.rows("select * from django_flatpage order by id"))


@application.page(r"/pages/(\d{1,9})/")
def page(request: Request, number: str) -> str:
    """A text to change."""
    row = request.one("select * from django_flatpage where id = ?", int(number))
    return render(request, "page.html", page=row, text=plain(row["content"]))


@application.form(r"/pages/(\d{1,9})/")
def change_page(request: Request, number: str) -> Reply:
    """Save a text; it is shown in paragraphs, and nothing in it is markup."""
    managers_only(request)
    title, text = request.text("title", least=1, longest=100), request.text("text", longest=4000, lines=True)
    request.one("select 1 from django_flatpage where id = ?", int(number))
    request.run("update django_flatpage set title = ?, content = ? where id = ?", title, paragraphs(text), int(number))
    return see("/pages/", f"The page “{title}” is saved.")


@application.page("/settings/")
def settings(request: Request) -> str:
    """All settings."""
    managers_only(request)
    values = {row["name"]: row["value"] for row in request.rows("select name, value from administration_setting")}
    return render(request, "settings.html", settings=SETTINGS, values=values)


@application.form("/settings/")
def change_settings(request: Request) -> Reply:
    """Save all settings."""
    managers_only(request)
    for one in SETTINGS:
        value = str(int(request.number(one.name, one.low, one.high))) if one.high else request.text(one.name)
        if one.choices and value not in one.choices:
            raise wrong(f"{one.label}: one of {', '.join(one.choices)}, please.")
        request.run("update administration_setting set value = ? where name = ?", value, one.name)
    return see("/settings/", "The settings are saved.")


@application.page("/settings/staff/")
def staff(request: Request) -> str:
    """Who works here, as what."""
    managers_only(request)
    rows = request.rows("select * from administration_staff order by id")
    return render(request, "staff.html", rows=rows, roles=ROLES)


@application.form(r"/settings/staff/(\d{1,9})")
def change_role(request: Request, number: str) -> Reply:
    """Another role for somebody. Nobody changes their own."""
    managers_only(request)
    row = request.one("select * from administration_staff where id = ?", int(number), what="member of the staff")
    role = request.text("role")
    if role not in ROLES:
        raise wrong(f"Roles are {' and '.join(ROLES)}.")
    if row["username"] == request.person.username:
        raise wrong("Nobody changes their own role.")
    request.run("update administration_staff set role = ? where id = ?", role, row["id"])
    return see("/settings/staff/", f"{row['name']} is now a {role}.")
