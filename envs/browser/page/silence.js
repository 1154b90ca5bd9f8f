// Nobody reads what pages write on the console. Each line of it, and each failure of a script that nobody caught, goes
// from the page's process to the browser's, which keeps what it has not got to yet without bound.
{
  for (const name of Object.getOwnPropertyNames(console))
    if (typeof console[name] === "function" && name !== "createTask") console[name] = () => {};
  let failures = 0;
  for (const kind of ["error", "unhandledrejection"])
    addEventListener(kind, (event) => ++failures > 100 && event.preventDefault(), true);
}
