import { type Log, throttleLog } from '../log.js'

/** What a line of the log is about. */
export interface LogDetail {
  reason: string
  method: string
  path: string
  tags?: readonly string[] | undefined
}

// Of the tags in a line; their length in characters.
const maxShownTags = 10
const maxShownLength = 100

/**
 * Creates the log of the endpoint. Anybody can send wrong tokens, and a CMS many webhooks: so each reason has one line a
 * minute. What is quoted in it, such as tags, and numbers, such as the age of a signature, make no other reason.
 *
 * @param redact Removes secrets from reasons and tags.
 */
export function createEndpointLog(log: Log, redact: (text: string) => string) {
  const throttled = throttleLog(log, {
    keyOf: (message, { reason }) => message + String(reason).replace(/"(?:[^"\\]|\\.?)*(?:"|$)|\d+/gs, ''),
  })
  const show = (tag: string) => {
    const text = redact(tag)
    return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
  }
  return (message: string, { reason, tags, ...detail }: LogDetail): void => {
    throttled(message, {
      reason: redact(reason),
      ...detail,
      ...(tags && { tags: tags.slice(0, maxShownTags).map(show) }),
      ...(tags && tags.length > maxShownTags && { moreTags: tags.length - maxShownTags }),
    })
  }
}
