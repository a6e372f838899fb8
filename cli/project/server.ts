/** The servers that files can be written for, in the order in which dependencies tell them: the first one found counts. */
export const servers = ['next', 'hono', 'express', 'vite'] as const

export type Server = (typeof servers)[number]

export const serverTitles: Record<Server, string> = {
  next: 'Next.js',
  hono: 'Hono',
  express: 'Express',
  vite: 'Vite',
}

export function isServer(name: string): name is Server {
  return (servers as readonly string[]).includes(name)
}

/**
 * Returns the servers among the dependencies. Next.js, Hono and Express may each bring or use the others, so of these two
 * are a question for the user; Vite counts only when it is alone.
 */
export function findServers(dependencies: ReadonlySet<string>): Server[] {
  if (dependencies.has('next')) return ['next']
  const found = servers.filter((server) => dependencies.has(server))
  return found.length > 1 ? found.filter((server) => server !== 'vite') : found
}
