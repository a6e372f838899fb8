import { ContentError } from './content-error.ts'

/** Fields of YAML, read one by one; what is wrong with one is said with the names of the file and of the field. */
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
  const refuse = (name: string, expected: string): never => {
    const found = fields.has(name) ? `found ${JSON.stringify(fields.get(name))}` : 'it is missing'
    throw new ContentError(file, [...path, name].join('.'), `expected ${expected}, ${found}`)
  }
  return {
    text(name) {
      const found = fields.get(name)
      return typeof found === 'string' && found.trim() ? found.trim() : refuse(name, 'a text')
    },
    number(name) {
      const found = fields.get(name)
      return typeof found === 'number' && Number.isFinite(found) ? found : refuse(name, 'a number')
    },
    texts(name) {
      const found = fields.get(name)
      const isTexts = Array.isArray(found) && found.length > 0 && found.every((one) => typeof one === 'string' && one)
      return isTexts ? found : refuse(name, 'a list of texts')
    },
    group(name) {
      if (!fields.has(name)) refuse(name, 'a group of fields')
      return readFields(file, fields.get(name), [...path, name])
    },
    names: () => [...fields.keys()],
  }
}
