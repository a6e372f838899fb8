/** Parts of JSX, TypeScript, HTML and the like that are told apart by color. Everything else is plain. */
const tokens = new RegExp(
  [
    String.raw`(?<comment>/\*[^]*?\*/|<!--[^]*?-->|(?<!\S)//[^\n]*)`,
    String.raw`(?<string>(?<!\w)(?:"[^"\n]*"|'[^'\n]*'|\`[^\`]*\`))`,
    String.raw`(?<tag></?[A-Za-z][\w.:-]*|/?>)`,
    String.raw`(?<attribute>[\w:-]+(?==))`,
    String.raw`(?<word>\b(?:\d[\d.]*|(?:as|async|await|const|default|else|export|false|from|function|if|import|let|null|return|true|undefined)(?![\w-]))\b)`,
  ].join('|'),
  'g',
)

/** Source code with its parts in color, and a button that copies it. */
export function SourceCode({ source }: { source: string }) {
  const text = source.replace(/^\n+/, '').trimEnd()
  return (
    <details className="sw-source" open>
      <summary className="sw-small">Source</summary>
      <button className="sw-copy" type="button">
        Copy
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
      <pre className="sw-scroll" dir="ltr" tabIndex={0}>
        <code>{highlight(text)}</code>
      </pre>
    </details>
  )
}

function highlight(text: string) {
  let end = 0
  const parts = [...text.matchAll(tokens)].flatMap(({ 0: part, index, groups = {} }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    const before = text.slice(end, index)
    end = index + part.length
    return [
      before,
      <span key={index} className={`sw-code-${kind}`}>
        {part}
      </span>,
    ]
  })
  return [...parts, text.slice(end)]
}
