// Refined images at equal quality beside others', and the cost of refining for visitors.
import { readdir, readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { cpuTime, median } from './cpu.js'
import { record } from './figures.js'
import { media, startIpx, startNext, startSitewright } from './images.js'
import { load } from './load.js'
import { createSsim } from './ssim.js'
import { agent, fetchImage } from './start.js'

// Both `next/image` and the image proxy allow it.
const width = 750
// Milliseconds. No round begins later.
const maxCostTime = 300_000

const names = { 'image/avif': 'AVIF', 'image/webp': 'WebP', 'image/jpeg': 'JPEG' }

export async function benchRefinement(formats = Object.keys(names)) {
  const photos = await readPhotos()
  await withServers([startSitewright(), startIpx(), startNext()], async ([ours, ...others]) => {
    for (const format of formats) await compareBytes(ours, others, photos, format)
  })
}

async function readPhotos() {
  // The tenth is the same photograph as another, in a size for whole screens.
  return (await readdir(media)).filter((name) => name.endsWith('.jpg') && !name.includes('large'))
}

/** Measures what visitors pay for refinement. */
export async function benchRefining() {
  const servers = [startSitewright(), startSitewright({ REFINE: 'off' })]
  const photos = await readPhotos()
  await withServers(servers, ([ours, unrefined]) => compareCosts(ours, unrefined, photos))
}

async function withServers(starting, run) {
  const servers = await Promise.all(starting)
  try {
    await run(servers)
  } finally {
    await Promise.all(servers.map(({ close }) => close()))
    agent.destroy()
  }
}

/** Prints the bytes of all photos, and their ratio to ours before refinement, at the SSIM of our refined images. */
async function compareBytes(ours, others, photos, format) {
  const ourNames = ['first', 'refined'].map((name) => `${ours.name}, ${name}`)
  const totals = [...ourNames, ...others.map(({ name }) => name)].map((name) => ({ name, bytes: 0, ssim: 0 }))
  for (const photo of photos) {
    process.stderr.write(`\r  ${format}, ${photo}\x1b[K`)
    const original = await sharp(await readFile(`${media}/${photo}`))
      .autoOrient()
      .resize(width)
      .png()
      .toBuffer()
    const ssim = await createSsim(original)
    const url = ours.url(photo, width, format)
    const measure = async (address) => {
      const { body } = await fetchImage(address, format)
      return { bytes: body.length, ssim: await ssim(body) }
    }
    const first = await measure(url)
    await untilRefined(url, format)
    const refined = await measure(url)
    const found = [first, refined]
    for (const server of others) {
      const measureQuality = (quality) => measure(server.url(photo, width, format, quality))
      found.push({ bytes: await bytesAt(refined.ssim, server.qualities, measureQuality), ssim: refined.ssim })
    }
    for (const [index, each] of found.entries()) {
      totals[index].bytes += each.bytes
      totals[index].ssim += each.ssim / photos.length
    }
  }
  process.stderr.write('\r\x1b[K')
  const [{ bytes: firstBytes }] = totals
  const shares = totals.map(({ name, bytes }) => [name, bytes / firstBytes])
  record(`Refinement: bytes, ${names[format]}`, 'of the first image', Object.fromEntries(shares))
  console.log(`\n${photos.length} images of ${width} pixels, ${format}, at the SSIM of the refined ones`)
  for (const { name, bytes, ssim } of totals) {
    const ratios = totals.slice(0, 2).map((base) => `${(bytes / base.bytes).toFixed(3)} x`)
    console.log(
      `  ${name.padEnd(50)} ${(bytes / 1000).toFixed(1).padStart(7)} KB  ${ratios.join('  ')}  SSIM ${ssim.toFixed(4)}`,
    )
  }
}

/** Returns the bytes of an image with a given SSIM, between those of the two nearest qualities. */
async function bytesAt(target, qualities, measure) {
  let [low, high] = [0, qualities.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((await measure(qualities[middle])).ssim >= target) high = middle
    else low = middle
  }
  const [below, above] = [await measure(qualities[low]), await measure(qualities[high])]
  if (below.ssim > target || above.ssim < target) throw new Error(`no quality has an SSIM of ${target}`)
  const share = (target - below.ssim) / (above.ssim - below.ssim)
  return below.bytes * (above.bytes / below.bytes) ** share
}

/** Waits until an image is refined. One that does not become smaller stays as it is. */
async function untilRefined(url, format) {
  const deadline = performance.now() + 20_000
  while (performance.now() < deadline) {
    const { headers } = await fetchImage(url, format)
    if (headers.etag.includes('-refined')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Prints what visitors pay: for a first image, and for repeated ones while others are refined. */
async function compareCosts(ours, unrefined, photos) {
  const format = 'image/avif'
  const firsts = { on: [], off: [] }
  const waits = { on: [], off: [] }
  const times = { on: [], off: [] }
  const image = (server) => server.url(photos[0], 640, format)
  for (const server of [ours, unrefined]) await fetchImage(image(server), format)
  // Takes longer than a round, each of which ends its refinement, so it is never done.
  for (let count = 0; count < 2; count++) await fetchImage(ours.url('black-canyon-large.jpg', 3840, format), format)
  const widths = [384, 828]
  const rounds = widths.length * photos.length
  const deadline = performance.now() + maxCostTime
  for (let round = 0; round < rounds && performance.now() < deadline; round++) {
    process.stderr.write(`\r  costs: round ${round + 1} of ${rounds}\x1b[K`)
    const address = (server) =>
      server.url(photos[round % photos.length], widths[Math.floor(round / photos.length)], format)
    await untilRefining(ours.pid)
    const order = [
      ['on', ours],
      ['off', unrefined],
    ]
    // In turns, since a machine is not equally fast at all times.
    for (const [state, server] of round % 2 ? order.reverse() : order) {
      // Nothing is refined while the other server is measured.
      if (state === 'off') await signalRefiners(ours, 'SIGSTOP')
      const before = await cpuTime(server.pid)
      const latencies = await load(image(server), {
        requests: 2000,
        connections: 8,
        headers: { accept: `${format},*/*` },
      })
      waits[state].push(latencies[Math.floor(latencies.length * 0.99)])
      times[state].push(((await cpuTime(server.pid)) - before) / 2000)
      await signalRefiners(ours, 'SIGCONT')
    }
    await signalRefiners(ours, 'SIGSTOP')
    firsts.off.push(await timeOf(() => fetchImage(address(unrefined), format)))
    await signalRefiners(ours, 'SIGCONT')
    firsts.on.push(await timeOf(() => fetchImage(address(ours), format)))
  }
  process.stderr.write('\r\x1b[K')
  console.log(
    `\nWhile images are refined, beside a service with \`refine: false\`: medians of ${waits.on.length} rounds`,
  )
  const print = (name, { on, off }, unit) => {
    const [values, others] = [median(on), median(off)]
    const ratio = (values / others).toFixed(3)
    console.log(`  ${name.padEnd(50)} ${values.toFixed(2)} ${unit}, ${others.toFixed(2)} ${unit}  ${ratio} x`)
    record(`Refinement: ${name}`, unit, { 'while refining': values, 'refine: false': others })
  }
  print('a first image', firsts, 'ms')
  print('99 % of 2,000 repeated images within', waits, 'ms')
  print('processor time of a repeated image', times, 'µs')
}

async function signalRefiners({ pid }, signal) {
  for (const each of await refinersOf(pid)) {
    try {
      process.kill(each, signal)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error // its image is done
    }
  }
}

async function timeOf(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Waits until a process of the lowest priority works below another process. */
async function untilRefining(pid) {
  for (;;) {
    const refining = await refinersOf(pid)
    const used = () => Promise.all(refining.map((child) => cpuTime(child).catch(() => 0)))
    const before = await used()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const after = await used()
    if (refining.some((_, index) => after[index] > before[index] + 5_000)) return
  }
}

/** Returns the ids of the processes of the lowest priority below another process: Linux, proc(5), stat. */
async function refinersOf(pid) {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1')).split(' ').filter(Boolean)
  const stats = await Promise.all(children.map((child) => readFile(`/proc/${child}/stat`, 'latin1').catch(() => '')))
  const fieldsOf = (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return children.filter((_, index) => fieldsOf(stats[index])[16] === '19').map(Number)
}
