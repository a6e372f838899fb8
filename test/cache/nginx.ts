import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../setup/free-port.js'

/**
 * Starts nginx with a cache in front of a server. `x-nginx` of each answer is the status of that cache.
 *
 * @param rules Further directives, of `http` and of its `location`.
 */
export async function startNginx(upstream: string, rules = { http: '', location: '' }) {
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-nginx-'))
  const port = await freePort()
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  const configuration = `
    daemon off; pid ${directory}/pid; error_log stderr; worker_processes 1; user root;
    events { worker_connections 512; }
    http {
      ${rules.http} access_log off; ${folders.join(' ')}
      proxy_cache_path ${directory}/cache keys_zone=pages:10m;
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${upstream}; proxy_set_header Host $host; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_cache pages; proxy_cache_lock on; proxy_cache_background_update on;
          ${rules.location}
          add_header x-nginx $upstream_cache_status;
        }
      }
    }`
  await writeFile(join(directory, 'nginx.conf'), configuration)
  const nginx = spawn('nginx', ['-c', join(directory, 'nginx.conf'), '-p', directory], { stdio: 'inherit' })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const exited = once(nginx, 'exit')
      nginx.kill()
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}
