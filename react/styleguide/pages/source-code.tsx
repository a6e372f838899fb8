/** The parts of JSX, TypeScript and HTML that are shown in color; all other text is plain. */
const tokens = new RegExp(
  [
    /(?<comment>\/\*.*?(?:\*\/|$)|<!--.*?(?:-->|$)|(?<!\S)\/\/[^\n]*)/,
    /(?<string>(?<!\w)(?:"[^"\n]*"|'[^'\n]*'|`[^`]*`))/,
    /(?<tag><\/?[A-Za-z][\w.:-]*|\/?>)/,
    /(?<attribute>(?<![\w:-])[\w:-]+(?==))/,
    /(?<word>\b(?:\d[\d.]*\b|(?:as|async|await|const|default|else|export|false|from|function|if|import|let|null|return|true|undefined)(?![\w-])))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** Source code with its parts in color, and a button that copies it. */
export function SourceCode({ source }: { source: string }) {
  const text = source.replace(/^\n+/, '').trimEnd()
  return (
    <details className="sw-source" open>
      <summary className="sw-small">
        <strong>Source</strong>
      </summary>
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
  const parts: React.ReactNode[] = []
  let plainStart = 0
  for (const { 0: part, index, groups = {} } of text.matchAll(tokens)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    const token = (
      <span key={index} className={`sw-code-${kind}`}>
        {part}
      </span>
    )
    parts.push(text.slice(plainStart, index), token)
    plainStart = index + part.length
  }
  return [...parts, text.slice(plainStart)]
}
