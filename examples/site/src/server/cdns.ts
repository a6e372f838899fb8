import { type Cdn, cloudflare, fastly } from 'sitewright/cdn'

/** Returns the CDNs in front of the site: each CDN whose keys are in the environment. */
export function readCdns(env: NodeJS.ProcessEnv): Cdn[] {
  const { FASTLY_SERVICE_ID, FASTLY_API_TOKEN = '', CLOUDFLARE_ZONE_ID, CLOUDFLARE_API_TOKEN = '' } = env
  return [
    ...(FASTLY_SERVICE_ID ? [fastly({ serviceId: FASTLY_SERVICE_ID, token: FASTLY_API_TOKEN })] : []),
    ...(CLOUDFLARE_ZONE_ID ? [cloudflare({ zoneId: CLOUDFLARE_ZONE_ID, token: CLOUDFLARE_API_TOKEN })] : []),
  ]
}
