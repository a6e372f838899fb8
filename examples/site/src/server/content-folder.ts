import type { ContentSource } from 'sitewright/content'

interface Push {
  commits?: readonly Partial<Record<'added' | 'modified' | 'removed', readonly string[]>>[]
}

/**
 * The content folder, in a repository of Git. The webhook of a push names the files that it changed (GitHub and GitLab). A page bears the
 * paths of the texts that it shows. All pages depend on the other files, and on which files there are.
 */
export const contentFolder: ContentSource = {
  tagsOfAnswer: () => [],
  tagsOfPayload(payload) {
    const { commits = [] } = payload as Push
    const modified = commits.flatMap((commit) => commit.modified ?? [])
    const others = commits.flatMap(({ added = [], removed = [] }) => [...added, ...removed])
    const isTexts = modified.every((file) => /^content\/\w+\/(?:articles\/)?[\w-]+\.md$/.test(file))
    return modified.length > 0 && others.length === 0 && isTexts ? modified : undefined
  },
}
