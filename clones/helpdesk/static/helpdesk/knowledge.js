// Links to articles go into the reply where somebody is writing, without the server's help.

export function refineKnowledge(root) {
  for (const button of root.querySelectorAll("[data-link-article]")) {
    button.addEventListener("click", (event) => {
      const editor = document.querySelector("#composer")?.editor;
      if (!editor) return;
      event.preventDefault();
      editor.goBehind(editor.insertLink(button.dataset.linkArticle, button.dataset.title));
    });
  }
}
