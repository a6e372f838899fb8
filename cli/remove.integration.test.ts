import { expect, it } from 'vitest'
import { createProject, listFiles, run, writeProject } from './testing/project.js'

it('remove lists the files that init has written, and the lines that name them, and changes nothing', () => {
  const server = `import { Hono } from 'hono'
import { sitewright } from './sitewright-setup/index.js'
const app = new Hono()
app.use(sitewright)
`
  const folder = createProject({
    'package.json': { type: 'module', dependencies: { hono: '^4', sitewright: '*' } },
    'server.js': 'const app = new Hono()',
  })
  run(folder, ['init', '--yes'])
  writeProject(folder, {
    'server.js': server,
    'page.js': "import { images } from './sitewright-setup/images.js'\nimport { image } from './image.js'\n",
    'style.css': "@import 'sitewright/spacing.css';\nbody { margin: 0 }\n",
    '.env': 'PORT=3000\nREVALIDATE_SECRET=1234\n',
    'package-lock.json': '{"packages":{"node_modules/sitewright":{}}}',
  })
  const before = listFiles(folder)
  const { code, stdout, stderr } = run(folder, ['remove', '--dry-run'])
  expect([code, stderr]).toEqual([0, ''])
  const places = stdout.split('\n').map((line) => line.trim().split('  ')[0])
  expect(places).toEqual(
    expect.arrayContaining(['sitewright-setup/images.js', 'sitewright-setup/index.js', '.env.example']),
  )
  const lines = places.filter((place) => /:\d+$/.test(place ?? '')).sort()
  expect(lines).toEqual(['.env:2', 'package.json:1', 'page.js:1', 'server.js:2', 'server.js:4', 'style.css:1'])
  expect(stdout).toContain('6 files, 6 lines. Nothing was changed.')
  expect(stdout).not.toContain('1234')
  expect(listFiles(folder)).toEqual(before)
})

it('remove lists the routes of Next.js, and the imports of their modules', () => {
  const folder = createProject({ 'package.json': { dependencies: { next: '16' } } })
  run(folder, ['init', '--yes'])
  writeProject(folder, {
    'next.config.js': "export default { images: { loader: 'custom', loaderFile: './image-loader.js' } }\n",
    'app/page.jsx': "import { images } from '../images'\nimport Link from 'next/link'\n",
  })
  const { code, stdout } = run(folder, ['remove', '--dry-run'])
  expect(code).toBe(0)
  expect(stdout).toContain('  app/%5Fimage/[[...source]]/route.js\n')
  expect(stdout).toContain('  app/page.jsx:1  import')
  expect(stdout).toContain('  next.config.js:1  export default')
  expect(stdout).not.toContain('next/link')
})

it.each([
  [[], 'remove: expected --dry-run, because it lists what to remove, got nothing'],
  [['--dry-run', 'all'], "remove: expected no further arguments, got 'all'"],
])('the arguments %j of remove are an error', (args, message) => {
  const { code, stderr } = run(createProject({ 'package.json': {} }), ['remove', ...args])
  expect([code, stderr.split('\n')[0]]).toEqual([2, `Error: ${message}`])
})
