import { maxTagLength } from '../tag-names.js'

/**
 * Returns the tag of each image that is made of a source: its canonical name without the query, since one purge is to reach
 * every version of it. `undefined` when it is too long for a tag: what bears one that is cut off could not be purged.
 *
 * @example sourceTag('/media/cat.jpg?v=2') // '/media/cat.jpg'
 */
export function sourceTag(name: string): string | undefined {
  const [path = ''] = name.split('?', 1)
  const tag = path.replaceAll(',', '%2C')
  return tag.length <= maxTagLength ? tag : undefined
}
