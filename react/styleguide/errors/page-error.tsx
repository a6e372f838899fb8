import { isDevelopment } from '../../../core/development.js'

/** What stands in place of a page's content that failed: the error, and in development where it came from. */
export function PageError({ title, error }: { title: string; error: unknown }) {
  const stack = isDevelopment() && error instanceof Error ? error.stack : undefined
  return (
    <section className="sw-error" aria-labelledby="sw-error">
      <h2 id="sw-error">{title}</h2>
      <p>{describeThrownValue(error)}</p>
      {stack && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too
        <pre tabIndex={0}>{stack}</pre>
      )}
    </section>
  )
}

/** What was thrown, for people. */
export function describeThrownValue(error: unknown): string {
  if (error instanceof Error) {
    // By which Next.js names the error in the server's log, and withholds its message.
    const digest = 'digest' in error ? ` (digest ${error.digest})` : ''
    return `${error.name}: ${error.message}${digest}`
  }
  return typeof error === 'object' && error !== null ? 'It threw an object that is no Error.' : String(error)
}
