/** Records that the page that is being rendered shows content of a file. */
export type NoteRead = (file: string) => void

/**
 * Wraps content so that each read of a field notes the file. A page therefore need not name the files that it shows.
 */
export function noteReads<Content extends object>(content: Content, file: string, note: NoteRead | undefined): Content {
  if (!note) return content
  return new Proxy(content, {
    get(target, name, receiver) {
      note(file)
      return Reflect.get(target, name, receiver)
    },
  })
}
