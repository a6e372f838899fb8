/**
 * The parts of JSX, TypeScript and HTML that are shown in color; all other text is plain. Each pattern matches a part
 * that begins at the pattern's `lastIndex`.
 */
const tokens: readonly [kind: string, pattern: RegExp][] = [
  ['comment', /\/\*.*?(?:\*\/|$)|<!--.*?(?:-->|$)|(?<!\S)\/\/[^\n]*/sy],
  ['string', /(?<!\w)(?:"[^"\n]*"|'[^'\n]*'|`[^`]*`)/y],
  ['tag', /<\/?[A-Za-z][\w.:-]*|\/?>/y],
  ['attribute', /(?<![\w:-])[\w:-]+(?==)/y],
  [
    'word',
    /\b(?:\d[\d.]*\b|(?:as|async|await|const|default|else|export|false|from|function|if|import|let|null|return|true|undefined)(?![\w-]))/y,
  ],
]

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
  const parts: React.ReactNode[] = []
  let plainStart = 0
  let index = 0
  while (index < text.length) {
    const [kind, pattern] = tokens.find(([, candidate]) => startsAt(candidate, text, index)) ?? []
    const end = pattern?.lastIndex ?? index + 1
    if (kind) {
      const token = (
        <span key={index} className={`sw-code-${kind}`}>
          {text.slice(index, end)}
        </span>
      )
      parts.push(text.slice(plainStart, index), token)
      plainStart = end
    }
    index = end
  }
  return [...parts, text.slice(plainStart)]
}

/** Whether a sticky pattern matches at an index. The pattern's `lastIndex` is then the end of the match. */
function startsAt(pattern: RegExp, text: string, index: number): boolean {
  pattern.lastIndex = index
  return pattern.test(text)
}
