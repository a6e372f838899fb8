/** Notes that the page which renders shows something of a file. */
export type NoteRead = (file: string) => void

/** Returns content that notes its file whenever something of it is read, so that no page has to name what it shows. */
export function noteReads<Content extends object>(content: Content, file: string, note: NoteRead | undefined): Content {
  if (!note) return content
  return new Proxy(content, {
    get(target, name, receiver) {
      note(file)
      return Reflect.get(target, name, receiver)
    },
  })
}
