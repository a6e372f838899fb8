/** The languages of the site. Paths of the first one have no prefix. */
export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]
