import type { ContentSource } from 'sitewright/content'

interface Push {
  commits?: readonly Partial<Record<'added' | 'modified' | 'removed', readonly string[]>>[]
}

/**
 * The content folder in a Git repository. The webhook of a push (GitHub or GitLab) names the changed files. A page is
 * tagged with the paths of the texts that it shows. All pages depend on the other files, and on the list of files.
 */
export const contentFolder: ContentSource = {
  tagsOfAnswer: () => [],
  tagsOfPayload(payload) {
    const { commits = [] } = payload as Push
    const modified = commits.flatMap((commit) => commit.modified ?? [])
    const addedOrRemoved = commits.flatMap(({ added = [], removed = [] }) => [...added, ...removed])
    const isTexts = modified.every((file) => /^content\/\w+\/(?:articles\/)?[\w-]+\.md$/.test(file))
    return modified.length > 0 && addedOrRemoved.length === 0 && isTexts ? modified : undefined
  },
}
