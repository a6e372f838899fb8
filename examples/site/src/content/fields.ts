import { ContentError } from './content-error.ts'

/** Checks and returns the fields of a YAML document. Each method throws a ContentError that names file and field. */
export interface Fields {
  text(name: string): string
  number(name: string): number
  texts(name: string): string[]
  group(name: string): Fields
  names(): string[]
}

export function readFields(file: string, value: unknown, path: readonly string[] = []): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ContentError(file, path.join('.') || 'content', 'expected fields, such as `title: A title`')
  }
  const fields = new Map(Object.entries(value))
  const fail = (name: string, expected: string): never => {
    const got = fields.has(name) ? `got ${JSON.stringify(fields.get(name))}` : 'but it is missing'
    throw new ContentError(file, [...path, name].join('.'), `expected ${expected}, ${got}`)
  }
  return {
    text(name) {
      const value = fields.get(name)
      return typeof value === 'string' && value.trim() ? value.trim() : fail(name, 'a text')
    },
    number(name) {
      const value = fields.get(name)
      return typeof value === 'number' && Number.isFinite(value) ? value : fail(name, 'a number')
    },
    texts(name) {
      const value = fields.get(name)
      const isTexts =
        Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item)
      return isTexts ? value : fail(name, 'a list of texts')
    },
    group(name) {
      if (!fields.has(name)) fail(name, 'a group of fields')
      return readFields(file, fields.get(name), [...path, name])
    },
    names: () => [...fields.keys()],
  }
}
