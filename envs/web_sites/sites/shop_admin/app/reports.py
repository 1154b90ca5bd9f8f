"""The dashboard and the reports: what was sold, to whom, what is left, what is said. Cancelled orders do not count."""

from typing import Any

from small_site import Request, Row, wrong

from .core import application, day, render, setting

PERIODS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
FIRST, LAST = "2025-01-01", "2026-01-15"
SOLD = """select p.id, p.title, p.upc, c.name as category, sum(l.quantity) as pieces,
sum(l.line_price_incl_tax) as amount from order_line l join order_order o on o.id = l.order_id
join catalogue_product p on p.id = l.product_id join catalogue_productcategory pc on pc.product_id = p.id
join catalogue_category c on c.id = pc.category_id
where o.status <> 'Cancelled' and date(o.date_placed) between ? and ?"""


@application.page("/")
def dashboard(request: Request) -> str:
    """The shop at a glance."""
    totals = "select count(*) as orders, sum(total_incl_tax) as amount from order_order where status <> 'Cancelled'"
    recent = """select o.number, o.status, o.total_incl_tax as total, o.date_placed as placed,
    u.first_name || ' ' || u.last_name as name from order_order o join auth_user u on u.id = o.user_id
    order by o.date_placed desc, o.id desc limit 6"""
    by_status = "select status, count(*) as n from order_order group by status order by status"
    waiting = "select count(*) as n from reviews_productreview where status = 0"
    return render(
        request,
        "dashboard.html",
        totals=request.one(totals),
        recent=request.rows(recent),
        best=request.rows(f"{SOLD} group by p.id order by pieces desc, p.title limit 5", FIRST, LAST),
        statuses=request.rows(by_status),
        waiting=request.one(waiting)["n"],
        low=len(_low(request)),
    )


@application.page("/reports/")
def reports(request: Request) -> str:
    """The list of reports."""
    return render(request, "reports.html")


def _between(request: Request) -> tuple[str, str]:
    first, last = day(request, "from", FIRST), day(request, "to", LAST)
    if first > last:
        raise wrong("The first day of a report is not after its last one.")
    return first, last


@application.page("/reports/sales/")
def sales(request: Request) -> str:
    """Orders and amounts by day, month or year."""
    period, (first, last) = request.asked("period", "month"), _between(request)
    if period not in PERIODS:
        raise wrong("Reports are by day, month or year.")
    rows = request.rows(
        """select strftime(?, o.date_placed) as period, count(*) as orders, sum(o.total_incl_tax) as amount,
        sum((select sum(quantity) from order_line l where l.order_id = o.id)) as pieces from order_order o
        where o.status <> 'Cancelled' and date(o.date_placed) between ? and ? group by 1 order by 1""",
        *(PERIODS[period], first, last),
    )
    return render(request, "sales.html", rows=rows, period=period, first=first, last=last, total=_summed(rows))


@application.page("/reports/bestsellers/")
def bestsellers(request: Request) -> str:
    """Products by the pieces that were sold."""
    first, last = _between(request)
    category = request.asked("category")
    chosen, values = (" and c.name = ?", (category,)) if category else ("", ())
    rows = request.rows(
        f"{SOLD}{chosen} group by p.id order by pieces desc, p.title limit 50",
        *(first, last, *values),
    )
    names = request.rows("select name from catalogue_category where depth = 2 order by name")
    return render(request, "bestsellers.html", rows=rows, first=first, last=last, categories=names)


@application.page("/reports/customers/")
def best_customers(request: Request) -> str:
    """Customers by what they spent."""
    first, last = _between(request)
    rows = request.rows(
        """select u.id, u.first_name || ' ' || u.last_name as name, u.email, count(*) as orders,
        sum(o.total_incl_tax) as amount from order_order o join auth_user u on u.id = o.user_id
        where o.status <> 'Cancelled' and date(o.date_placed) between ? and ?
        group by u.id order by amount desc, u.id limit 50""",
        *(first, last),
    )
    return render(request, "best_customers.html", rows=rows, first=first, last=last)


@application.page("/reports/stock/")
def stock(request: Request) -> str:
    """Products at or below their threshold."""
    return render(request, "stock.html", rows=_low(request), default=setting(request, "low_stock"))


@application.page("/reports/reviews/")
def reviewed(request: Request) -> str:
    """Products by their approved reviews."""
    rows = request.rows(
        """select p.id, p.title, count(*) as reviews, avg(r.score) as mean, sum(r.score = 1) as ones
        from reviews_productreview r join catalogue_product p on p.id = r.product_id where r.status = 1
        group by p.id order by reviews desc, p.title limit 50"""
    )
    return render(request, "reviewed.html", rows=rows)


def _low(request: Request) -> list[Row]:
    return request.rows(
        """select p.id, p.title, p.upc, s.num_in_stock as stock, coalesce(s.low_stock_threshold, ?) as threshold
        from partner_stockrecord s join catalogue_product p on p.id = s.product_id
        where s.num_in_stock <= coalesce(s.low_stock_threshold, ?) order by s.num_in_stock, p.title""",
        *[int(setting(request, "low_stock"))] * 2,
    )


def _summed(rows: list[Row]) -> dict[str, Any]:
    return {name: sum(row[name] for row in rows) for name in ("orders", "pieces", "amount")}
