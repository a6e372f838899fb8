import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addPicture, createProject, type Files, listFiles, root, run, writeProject } from '../../cli/testing/project.js'
import { expectSite, secret, start, stepLines } from '../../cli/testing/server.js'

const next = join(root, 'node_modules/next/dist/bin/next')
const home = 'Our own page'
const dependencies = { next: '^16', react: '^19', 'react-dom': '^19' }

const page = `import Image from 'next/image'

export default function Page() {
  return (
    <main>
      ${home}
      <Image src="/media/cat.jpg" alt="A cat" width={640} height={480} />
    </main>
  )
}
`
const layout = (annotation: string) => `
export default function Layout({ children }${annotation}) {
  return <html lang="en"><body>{children}</body></html>
}
`

interface Case {
  name: string
  files: Files
  /** The existing configuration. */
  config?: string
  configText?: string
  /** Folder of a separate page, below a layout. Default: `app/example`. */
  example?: string
  written: string[]
}

// Each part of a project is in one of them: a build takes half a minute. test/next15 builds the same routes.
const cases: Case[] = [
  {
    name: 'TypeScript, src/app, a layout for each group, Cache Components',
    files: {
      'package.json': { dependencies },
      'tsconfig.json': '{}',
      'src/app/(site)/layout.tsx': layout(': { children: React.ReactNode }'),
      'src/app/(site)/page.tsx': page,
      'src/app/site.css': ':root { --color-brand: #b3412e }',
    },
    config: 'next.config.ts',
    configText:
      "import type { NextConfig } from 'next'\n\nexport default {\n  cacheComponents: true,\n} satisfies NextConfig\n",
    example: 'src/app/(site)/example',
    written: [
      '.env.example',
      'src/app/%5Fimage/[[...source]]/route.ts',
      'src/app/api/revalidate/route.ts',
      'src/app/sitewright/[file]/route.ts',
      'src/app/styleguide/[[...slug]]/page.tsx',
      'src/app/styleguide/[[...slug]]/theme.css',
      'src/app/styleguide/layout.tsx',
      'src/image-loader.ts',
      'src/images.ts',
    ],
  },
  {
    name: 'JavaScript, "type": "commonjs", no layout, no configuration',
    files: {
      'package.json': { type: 'commonjs', dependencies },
      'app/page.js': page,
      'app/site.css': ':root { --color-brand: #b3412e }',
      'components/badge.jsx': 'export default function Badge() { return <b>New</b> }',
    },
    written: [
      '.env.example',
      'app/%5Fimage/[[...source]]/route.js',
      'app/api/revalidate/route.js',
      'app/layout.jsx',
      'app/sitewright/[file]/route.js',
      'app/styleguide/[[...slug]]/page.js',
      'app/styleguide/[[...slug]]/theme.css',
      'image-loader.js',
      'images.js',
      'next.config.mjs',
    ],
  },
]

it.each(cases)(
  '$name',
  async ({ files, config, configText = '', written, example = 'app/example' }) => {
    // Within the repository: packages outside of it are not there for Turbopack.
    const folder = createProject({ ...files, ...(config && { [config]: configText }) }, join(root, 'test/cli/built'))
    addPicture(folder, 'public/media/cat.jpg')
    const filesBefore = listFiles(folder)
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr]).toEqual([0, ''])
    expect(listFiles(folder).filter((path) => !filesBefore.includes(path))).toEqual(written)

    if (config) {
      const lines = stepLines(stdout, config)
      writeProject(folder, { [config]: configText.replace('\n}', `\n${lines.join('\n')}\n}`) })
      expect(run(folder, ['init']).stdout).not.toContain(config)
    } else {
      const [command = ''] = stepLines(stdout, 'package.json')
      execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' })
    }
    const ending = written.some((path) => path.endsWith('.tsx')) ? 'tsx' : 'js'
    writeProject(folder, { [`${example}/page.${ending}`]: stepLines(stdout, 'A page with a picture').join('\n') })
    execFileSync(process.execPath, [next, 'build'], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: 'pipe',
    })
    const url = await start(folder, (port) => [next, 'start', '--hostname', '127.0.0.1', '--port', port])
    // With Cache Components, Next.js sends the head before it knows that a page is missing.
    await expectSite(url, '/media/cat.jpg', home, secret, configText.includes('cacheComponents') ? 200 : 404)
    // next/image asks for the same addresses.
    for (const path of ['/', '/example', '/styleguide']) {
      const html = await (await fetch(url + path)).text()
      expect(html.match(/<html/g)).toHaveLength(1)
      if (path !== '/styleguide') expect(html).toContain('/_image/L21lZGlhL2NhdC5qcGc?width=640')
    }
  },
  600_000,
)
