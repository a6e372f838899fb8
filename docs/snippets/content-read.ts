import type { ResponseCache } from 'sitewright/cache'
import type { ContentTags } from 'sitewright/content'

interface Post {
  id: number
  title: string
}
/** Drizzle, Prisma, or any other reader. */
interface Database {
  listPosts(): Promise<Post[]>
  savePost(post: Post): Promise<void>
}

const tagOf = ({ id }: Post) => `post:${id}`

export const createPosts = (db: Database, content: ContentTags, cache: ResponseCache) => ({
  list: () =>
    content.read({ tagsOf: (posts) => ['type:post', ...posts.map(tagOf)] }, () =>
      db.listPosts(),
    ),
  async save(post: Post) {
    await db.savePost(post)
    await cache.invalidate(['type:post', tagOf(post), 'any-content'])
  },
})
