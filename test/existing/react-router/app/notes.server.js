import { createCookieSessionStorage } from 'react-router'

// In place of a database.
export const names = ['Ada']

export const sessions = createCookieSessionStorage({ cookie: { name: 'session', secrets: ['s'], httpOnly: true } })

/** Headers of a page for all. */
export const forAll = (tag) => ({ 'Cache-Control': 'public, max-age=0, s-maxage=3600', 'Cache-Tag': tag })
