// A text is parsed for its tags up to this length, in characters.
const maxTextLength = 8 * 1024 ** 2

const decoder = new TextDecoder()

/**
 * Calls a function each time an answer, or a clone of it, is read by `json`, `text` or `arrayBuffer`. The function
 * receives the parsed JSON, or `undefined` if the body is not JSON or is too long.
 *
 * @returns The answer.
 */
export function onceRead(response: Response, onRead: (json: unknown) => void): Response {
  const { json, text, arrayBuffer, clone } = response
  // The code uses `then`, because `await` creates one more promise, and each promise costs time within an
  // AsyncLocalStorage.
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
