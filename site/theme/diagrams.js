// The theme speaks to Mermaid as to its eighth version, which hands a diagram to a function; later ones promise it.
mermaid.mermaidAPI = { render: (id, text, show) => mermaid.render(id, text).then(({ svg }) => show(svg)) };
