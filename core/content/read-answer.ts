// Longer texts are not parsed for their tags, in characters.
const maxTextLength = 8 * 1024 ** 2

const decoder = new TextDecoder()

/**
 * Calls a function once an answer is read by `json`, `text` or `arrayBuffer`, of itself or of a clone, with what it says as JSON;
 * `undefined` if that is unknown.
 *
 * @returns The answer.
 */
export function onceRead(response: Response, onRead: (json: unknown) => void): Response {
  const { json, text, arrayBuffer, clone } = response
  // `then`, because `await` makes one promise more, and each costs time within an AsyncLocalStorage.
  const readAs = <Body>(read: () => Promise<Body>, parse: (body: Body) => unknown) =>
    read.call(response).then((body) => {
      onRead(parse(body))
      return body
    })
  return Object.assign(response, {
    json: () => readAs(json, (value) => value),
    text: () => readAs(text, parseJson),
    arrayBuffer: () => readAs(arrayBuffer, (bytes) => parseJson(decoder.decode(bytes))),
    clone: () => onceRead(clone.call(response), onRead),
  })
}

function parseJson(text: string): unknown {
  if (text.length > maxTextLength) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
