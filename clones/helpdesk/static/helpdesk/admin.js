// Admin Center's navigation is long: where one is stays in sight.

export function showPlace() {
  document.querySelector(".admin-nav [aria-current]")?.scrollIntoView({ block: "nearest" });
}
