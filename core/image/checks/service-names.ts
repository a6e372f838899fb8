/** What the user called options of the service: `imgproxy` has other names for them than the proxy. */
export interface ServiceNames {
  readonly serviceUrl: string
  readonly serviceSecret: string
}

export const proxyNames: ServiceNames = { serviceUrl: 'serviceUrl', serviceSecret: 'serviceSecret' }

type Given = Readonly<Record<'serviceUrl' | 'key' | 'salt', string | undefined>>

/** Returns the names of the options that are missing, without which no image can be made. */
export function findMissing({ serviceUrl, key, salt }: Partial<Given>, names: ServiceNames): string[] {
  const values: Record<string, string | undefined> = { [names.serviceUrl]: serviceUrl, key, salt }
  return Object.keys(values).filter((name) => !values[name])
}
