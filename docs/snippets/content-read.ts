import type { ResponseCache } from 'sitewright/cache'
import type { ContentTags } from 'sitewright/content'

type Post = { id: number; title: string }
type Database = { list(): Promise<Post[]>; save(post: Post): Promise<void> } // any

const tagOf = ({ id }: Post) => `post:${id}`
const posts = { tagsOf: (found: Post[]) => ['type:post', ...found.map(tagOf)] }

export const createPosts = (db: Database, content: ContentTags, cache: ResponseCache) => ({
  list: () => content.read(posts, () => db.list()),
  async save(post: Post) {
    await db.save(post)
    await cache.invalidate(['type:post', tagOf(post), 'any-content'])
  },
})
