"""Customers, and the reviews they write."""

import re

from small_site import Reply, Request, Row, see, wrong

from .core import Listing, application, like, managers_only, render

CUSTOMERS = Listing(
    """select * from (select u.id, u.first_name || ' ' || u.last_name as name, u.email, u.is_active as active,
    date(u.date_joined) as joined, count(o.id) as orders, coalesce(sum(o.total_incl_tax), 0) as spent
    from auth_user u left join order_order o on o.user_id = u.id and o.status <> 'Cancelled'
    where u.is_staff = 0 group by u.id)""",
    {"name": "name, id", "orders": "orders desc, id", "spent": "spent desc, id", "newest": "joined desc, id"},
)
REVIEWS = Listing(
    """select r.id, r.title, r.body, r.score, r.status, date(r.date_created) as written, p.title as product,
    r.product_id, u.first_name || ' ' || u.last_name as name from reviews_productreview r
    join catalogue_product p on p.id = r.product_id join auth_user u on u.id = r.user_id""",
    {
        "newest": "r.date_created desc, r.id desc",
        "oldest": "r.date_created, r.id",
        "best": "r.score desc, r.id",
        "worst": "r.score, r.id",
    },
)
STATUSES = {"waiting": 0, "approved": 1, "rejected": 2}
MAIL = re.compile(r"[^@\s<>\"']{1,60}@[a-z0-9-]{1,60}(\.[a-z0-9-]{1,60}){1,4}")


@application.page("/customers/")
def customers(request: Request) -> str:
    """Customers by name or e-mail address."""
    conditions = [("name || ' ' || email like ? escape '!'", like(request.asked("q")))]
    return render(request, "customers.html", page=CUSTOMERS.page(request, conditions))


@application.page(r"/customers/(\d{1,9})/")
def customer(request: Request, number: str) -> str:
    """A customer with orders and reviews."""
    row = _customer(request, number)
    orders = """select number, status, total_incl_tax as total, date_placed as placed from order_order
    where user_id = ? order by date_placed desc, id desc"""
    reviews = """select r.id, r.title, r.score, r.status, p.title as product from reviews_productreview r
    join catalogue_product p on p.id = r.product_id where r.user_id = ? order by r.date_created desc, r.id desc"""
    found = request.rows(orders, row["id"])
    return render(
        request,
        "customer.html",
        customer=row,
        orders=found,
        spent=sum(one["total"] for one in found if one["status"] != "Cancelled"),
        reviews=request.rows(reviews, row["id"]),
        homes=request.rows("select * from address_useraddress where user_id = ? order by id", row["id"]),
    )


@application.form(r"/customers/(\d{1,9})/")
def change_customer(request: Request, number: str) -> Reply:
    """Name, e-mail address, and whether the account is open."""
    managers_only(request)
    row, mail = _customer(request, number), request.text("email", longest=200).lower()
    if not MAIL.fullmatch(mail):
        raise wrong("An e-mail address looks like name@example.org.")
    if request.rows("select 1 from auth_user where email = ? and id <> ?", mail, row["id"]):
        raise wrong("Another customer has this e-mail address.")
    request.run(
        "update auth_user set first_name = ?, last_name = ?, email = ?, is_active = ? where id = ?",
        *(request.text("first_name", least=1), request.text("last_name", least=1), mail),
        *(int("active" in request.form), row["id"]),
    )
    return see(f"/customers/{number}/", "The customer is saved.")


@application.page("/reviews/")
def reviews(request: Request) -> str:
    """Reviews by status, stars, product and words."""
    conditions: list[tuple[str, object]] = []
    if request.asked("status") in STATUSES:
        conditions.append(("r.status = ?", STATUSES[request.asked("status")]))
    if re.fullmatch(r"[1-5]", request.asked("stars")):
        conditions.append(("r.score = ?", int(request.asked("stars"))))
    if words := request.asked("product"):
        conditions.append(("p.title like ? escape '!'", like(words)))
    if words := request.asked("q"):
        text = "r.title || ' ' || r.body || ' ' || u.first_name || ' ' || u.last_name"
        conditions.append((f"{text} like ? escape '!'", like(words)))
    names = {value: name for name, value in STATUSES.items()}
    return render(request, "reviews.html", page=REVIEWS.page(request, conditions), names=names)


@application.page(r"/reviews/(\d{1,9})/")
def review(request: Request, number: str) -> str:
    """One review, and what can be decided about it."""
    names = {value: name for name, value in STATUSES.items()}
    return render(request, "review.html", review=_review(request, number), names=names)


@application.form(r"/reviews/(\d{1,9})/(approve|reject|delete)")
def decide(request: Request, number: str, what: str) -> Reply:
    """Approve, reject or delete a review; the product's rating follows."""
    row = _review(request, number)
    if what == "delete":
        request.run("delete from reviews_productreview where id = ?", row["id"])
    else:
        status = STATUSES["approved" if what == "approve" else "rejected"]
        request.run("update reviews_productreview set status = ? where id = ?", status, row["id"])
    request.run(
        """update catalogue_product set rating = (select avg(score) from reviews_productreview
        where product_id = catalogue_product.id and status = 1) where id = ?""",
        row["product_id"],
    )
    done = {"approve": "approved", "reject": "rejected", "delete": "deleted"}[what]
    return see("/reviews/?status=waiting" if what == "delete" else f"/reviews/{number}/", f"The review is {done}.")


def _customer(request: Request, number: str) -> Row:
    return request.one("select * from auth_user where id = ? and is_staff = 0", int(number), what="customer")


def _review(request: Request, number: str) -> Row:
    sql = """select r.*, p.title as product, u.first_name || ' ' || u.last_name as name from reviews_productreview r
    join catalogue_product p on p.id = r.product_id join auth_user u on u.id = r.user_id where r.id = ?"""
    return request.one(sql, int(number), what="review")
