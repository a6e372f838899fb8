/** The languages of the site; the first is the one whose paths have no prefix. */
export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]
