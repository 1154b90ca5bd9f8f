"""Orders: found, moved on through their statuses, noted upon."""

from small_site import Reply, Request, Row, see, wrong

from .core import NOW, Listing, application, day, like, render, setting

NEXT = {
    "Pending": ("Being processed", "Cancelled"),
    "Being processed": ("Shipped", "Cancelled"),
    "Shipped": ("Complete", "Returned"),
    "Complete": (),
    "Cancelled": (),
    "Returned": (),
}
LISTING = Listing(
    """select o.id, o.number, o.status, o.total_incl_tax as total, o.date_placed as placed, o.user_id as customer,
    u.first_name || ' ' || u.last_name as name from order_order o join auth_user u on u.id = o.user_id""",
    {
        "newest": "o.date_placed desc, o.id desc",
        "oldest": "o.date_placed, o.id",
        "highest": "o.total_incl_tax desc, o.id",
        "lowest": "o.total_incl_tax, o.id",
    },
)


@application.page("/orders/")
def orders(request: Request) -> str:
    """Orders by status, date, customer and number."""
    conditions: list[tuple[str, object]] = []
    if request.asked("status"):
        conditions.append(("o.status = ?", request.asked("status")))
    if first := day(request, "from"):
        conditions.append(("date(o.date_placed) >= ?", first))
    if last := day(request, "to"):
        conditions.append(("date(o.date_placed) <= ?", last))
    if words := request.asked("q"):
        conditions.append(("o.number || ' ' || u.first_name || ' ' || u.last_name like ? escape '!'", like(words)))
    page = LISTING.page(request, conditions, int(setting(request, "orders_per_page")))
    return render(request, "orders.html", page=page, statuses=tuple(NEXT))


@application.page(r"/orders/(\d{1,12})/")
def order(request: Request, number: str) -> str:
    """One order with its lines, address, history and notes."""
    row = _order(request, number)
    return render(
        request,
        "order.html",
        order=row,
        following=NEXT.get(row["status"], ()),
        lines=request.rows("select * from order_line where order_id = ? order by id", row["id"]),
        address=request.one("select * from order_shippingaddress where id = ?", row["shipping_address_id"]),
        history=request.rows("select * from order_orderstatuschange where order_id = ? order by id", row["id"]),
        notes=request.rows(
            """select n.*, coalesce(s.name, 'Shop') as author from order_ordernote n
            left join auth_user u on u.id = n.user_id left join administration_staff s on s.username = u.username
            where n.order_id = ? order by n.id""",
            row["id"],
        ),
    )


@application.form(r"/orders/(\d{1,12})/status")
def change_status(request: Request, number: str) -> Reply:
    """The next status of an order and its lines."""
    row, status = _order(request, number), request.text("status")
    if status not in NEXT.get(row["status"], ()):
        raise wrong(f"An order that is “{row['status']}” cannot become “{status}”.")
    request.run("update order_order set status = ? where id = ?", status, row["id"])
    request.run("update order_line set status = ? where order_id = ?", status, row["id"])
    request.run(
        "insert into order_orderstatuschange (order_id, old_status, new_status, date_created) values (?, ?, ?, ?)",
        *(row["id"], row["status"], status, NOW),
    )
    return see(f"/orders/{number}/", f"The order is now “{status}”.")


@application.form(r"/orders/(\d{1,12})/notes")
def add_note(request: Request, number: str) -> Reply:
    """A note on an order, seen by the staff."""
    row, message = _order(request, number), request.text("message", longest=1000, least=1, lines=True)
    request.run(
        """insert into order_ordernote (order_id, user_id, note_type, message, date_created, date_updated)
        values (?, ?, 'Info', ?, ?, ?)""",
        *(row["id"], request.person.user, message, NOW, NOW),
    )
    return see(f"/orders/{number}/", "The note is saved.")


@application.form(r"/orders/(\d{1,12})/address")
def change_address(request: Request, number: str) -> Reply:
    """Where an order goes; only while it has not left."""
    row = _order(request, number)
    if row["status"] not in ("Pending", "Being processed"):
        raise wrong("The order has left; its address cannot be changed any more.")
    street, town = request.text("street", least=1), request.text("town", least=1)
    request.run(
        "update order_shippingaddress set line1 = ?, line4 = ?, postcode = ? where id = ?",
        *(street, town, request.text("postcode", least=1, longest=60), row["shipping_address_id"]),
    )
    return see(f"/orders/{number}/", "The address is changed.")


def _order(request: Request, number: str) -> Row:
    sql = """select o.*, u.first_name || ' ' || u.last_name as name, u.email from order_order o
    join auth_user u on u.id = o.user_id where o.number = ?"""
    return request.one(sql, number, what="order")
