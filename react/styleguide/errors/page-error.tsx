import { isDevelopment } from '../../../core/development.js'

/** Shows an error in place of a page's content; in development, also shows its stack. */
export function PageError({ title, error }: { title: string; error: unknown }) {
  const stack = isDevelopment() && error instanceof Error ? error.stack : undefined
  return (
    <section className="sw-error" aria-labelledby="sw-error">
      <h2 id="sw-error">{title}</h2>
      <p>{describeThrownValue(error)}</p>
      {stack && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        <pre tabIndex={0}>{stack}</pre>
      )}
    </section>
  )
}

/** Describes a thrown value in words. */
export function describeThrownValue(error: unknown): string {
  if (error instanceof Error) {
    // Next.js withholds the message and logs the error under this digest on the server.
    const digest = 'digest' in error ? ` (digest ${error.digest})` : ''
    return `${error.name}: ${error.message}${digest}`
  }
  return typeof error === 'object' && error !== null ? 'A non-Error object was thrown.' : String(error)
}
