"""Products: found, changed, added, hidden; their prices and stock."""

import re

from small_site import Reply, Request, Row, see, wrong

from .core import NOW, Listing, application, like, managers_only, paragraphs, plain, render, setting

LISTING = Listing(
    """select p.id, p.upc, p.title, p.is_public as visible, s.price, s.num_in_stock as stock, c.name as category,
    (select i.original from catalogue_productimage i where i.product_id = p.id order by i.id limit 1) as picture
    from catalogue_product p join partner_stockrecord s on s.product_id = p.id
    join catalogue_productcategory pc on pc.product_id = p.id join catalogue_category c on c.id = pc.category_id""",
    {
        "title": "p.title, p.id",
        "cheapest": "s.price, p.id",
        "dearest": "s.price desc, p.id",
        "stock": "s.num_in_stock, p.id",
        "newest": "p.date_created desc, p.id desc",
    },
)


@application.page("/products/")
def products(request: Request) -> str:
    """Products by words, category, stock and visibility."""
    conditions: list[tuple[str, object]] = []
    if words := request.asked("q"):
        conditions.append(("p.title || ' ' || coalesce(p.upc, '') like ? escape '!'", like(words)))
    if request.asked("category"):
        conditions.append(("c.name = ?", request.asked("category")))
    if request.asked("visible") in ("yes", "no"):
        conditions.append(("p.is_public = ?", int(request.asked("visible") == "yes")))
    if request.asked("stock") == "none":
        conditions.append(("s.num_in_stock = ?", 0))
    if request.asked("stock") == "low":
        low = int(setting(request, "low_stock"))
        conditions.append(("s.num_in_stock <= coalesce(s.low_stock_threshold, ?)", low))
    return render(request, "products.html", page=LISTING.page(request, conditions), categories=_categories(request))


@application.page(r"/products/(\d{1,9})/")
def product(request: Request, number: str) -> str:
    """A product's form."""
    row = _product(request, int(number))
    sold = request.one(
        """select coalesce(sum(l.quantity), 0) as pieces from order_line l join order_order o on o.id = l.order_id
        where l.product_id = ? and o.status <> 'Cancelled'""",
        row["id"],
    )
    return render(request, "product.html", product=row, sold=sold["pieces"], text=plain(row["description"]))


@application.form(r"/products/(\d{1,9})/")
def change_product(request: Request, number: str) -> Reply:
    """Save a product's form; what was not changed stays as it was."""
    managers_only(request)
    row = _product(request, int(number))
    price, stock, threshold = request.number("price", 0.01, 99_999, whole=False), request.number("stock", 0, 9999), None
    if request.text("low_stock_threshold"):
        threshold = int(request.number("low_stock_threshold", 0, 9999))
    title, description = request.text("title", least=3), request.text("description", longest=4000, lines=True)
    visible = int("visible" in request.form)
    html = row["description"] if description == plain(row["description"]) else paragraphs(description)
    if (title, html, visible) != (row["title"], row["description"], row["is_public"]):
        request.run(
            "update catalogue_product set title = ?, description = ?, is_public = ?, date_updated = ? where id = ?",
            *(title, html, visible, NOW, row["id"]),
        )
    if (price, stock, threshold) != (float(row["price"]), row["stock"], row["threshold"]):
        request.run(
            """update partner_stockrecord set price = ?, num_in_stock = ?, low_stock_threshold = ?, date_updated = ?
            where id = ?""",
            *(price, int(stock), threshold, NOW, row["record"]),
        )
    return see(f"/products/{number}/", "The product is saved.")


@application.page("/products/new/")
def new_product(request: Request) -> str:
    """An empty form."""
    managers_only(request)
    return render(request, "new_product.html", categories=_categories(request))


@application.form("/products/new/")
def add_product(request: Request) -> Reply:
    """A new product in a category, with its price and stock."""
    managers_only(request)
    upc, title = request.text("upc", longest=20, least=4), request.text("title", least=3)
    if not re.fullmatch(r"\d{4,20}", upc):
        raise wrong("UPC: 4 to 20 digits, please.")
    if request.rows("select 1 from catalogue_product where upc = ?", upc):
        raise wrong("Another product has this UPC.")
    price, stock = request.number("price", 0.01, 99_999, whole=False), int(request.number("stock", 0, 9999))
    category = request.one(
        "select id, path from catalogue_category where name = ?", request.text("category"), what="category"
    )
    like_it = request.one(
        """select p.product_class_id as class from catalogue_product p
        join catalogue_productcategory pc on pc.product_id = p.id where pc.category_id = ? order by p.id limit 1""",
        category["id"],
    )
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "product"
    number = request.run(
        """insert into catalogue_product (structure, is_public, upc, title, slug, description, meta_description,
        priority, product_class_id, date_created, date_updated, is_discountable)
        values ('standalone', ?, ?, ?, ?, '', '', 0, ?, ?, ?, 1)""",
        *(int("visible" in request.form), upc, title, slug, like_it["class"], NOW, NOW),
    )
    request.run("insert into catalogue_productcategory (product_id, category_id) values (?, ?)", number, category["id"])
    request.run(
        """insert into partner_stockrecord (product_id, partner_id, partner_sku, price_currency, price, num_in_stock,
        num_allocated, date_created, date_updated) values (?, 1, ?, 'USD', ?, ?, 0, ?, ?)""",
        *(number, f"A-{upc}", price, stock, NOW, NOW),
    )
    return see(f"/products/{number}/", "The product is added.")


def _categories(request: Request) -> list[Row]:
    return request.rows("select name from catalogue_category where depth = 2 order by name")


def _product(request: Request, number: int) -> Row:
    sql = """select p.*, s.id as record, s.price, s.num_in_stock as stock, s.low_stock_threshold as threshold,
    c.name as category from catalogue_product p join partner_stockrecord s on s.product_id = p.id
    join catalogue_productcategory pc on pc.product_id = p.id join catalogue_category c on c.id = pc.category_id
    where p.id = ?"""
    return request.one(sql, number, what="product")
