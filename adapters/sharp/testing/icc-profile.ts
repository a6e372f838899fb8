// Writes ICC profiles of version 2 (ICC.1:2001-04) that consist of a curve for each channel, and a matrix for RGB.

type Xyz = readonly [number, number, number]

/** Primaries adapted to D50, and gamma. */
export interface RgbProfile {
  red: Xyz
  green: Xyz
  blue: Xyz
  gamma: number
}

const d50: Xyz = [0.9642, 1, 0.82491]

/** Primaries and gamma of Adobe RGB (1998). */
export const adobeRgb: RgbProfile = {
  red: [0.60974, 0.31111, 0.01947],
  green: [0.20528, 0.62567, 0.06087],
  blue: [0.14919, 0.06322, 0.74457],
  gamma: 2.19921875,
}

/** Writes a profile of a monitor. */
export const rgbProfile = ({ red, green, blue, gamma }: RgbProfile) =>
  profile('RGB ', [
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ['rTRC', curve(gamma)],
    ['gTRC', curve(gamma)],
    ['bTRC', curve(gamma)],
  ])

/** Writes a profile of shades of gray. */
export const grayProfile = (gamma: number) => profile('GRAY', [['kTRC', curve(gamma)]])

/** Writes a profile of shades of gray that connects to CIE L*a*b*, as that of scanners, with the gray as L*. */
export const lightnessProfile = () => {
  const file = grayProfile(1)
  file.write('Lab ', 20, 'latin1')
  return file
}

const profile = (space: string, tags: readonly (readonly [name: string, content: Buffer])[]) => {
  const allTags = [['desc', description()], ['cprt', text('Public domain')], ['wtpt', xyz(d50)], ...tags] as const
  const tableEnd = 128 + 4 + allTags.length * 12
  const size = tableEnd + allTags.reduce((sum, [, content]) => sum + content.length, 0)
  const head = Buffer.alloc(tableEnd)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(0x02_10_00_00, 8)
  head.write(`mntr${space}XYZ `, 12, 'latin1')
  head.write('acsp', 36, 'latin1')
  xyz(d50).copy(head, 68, 8)
  head.writeUInt32BE(allTags.length, 128)
  let offset = tableEnd
  for (const [index, [name, content]] of allTags.entries()) {
    head.write(name, 132 + index * 12, 'latin1')
    head.writeUInt32BE(offset, 136 + index * 12)
    head.writeUInt32BE(content.length, 140 + index * 12)
    offset += content.length
  }
  return Buffer.concat([head, ...allTags.map(([, content]) => content)])
}

/** An `XYZType`: three numbers with 16 bits before and 16 after the point. */
const xyz = (numbers: Xyz) => {
  const tag = Buffer.alloc(20)
  tag.write('XYZ ', 'latin1')
  for (const [index, number] of numbers.entries()) tag.writeInt32BE(Math.round(number * 65_536), 8 + index * 4)
  return tag
}

/** A `curveType` of one number, padded to four bytes: gamma, with 8 bits before and 8 after the point. */
const curve = (gamma: number) => {
  const tag = Buffer.alloc(16)
  tag.write('curv', 'latin1')
  tag.writeUInt32BE(1, 8)
  tag.writeUInt16BE(Math.round(gamma * 256), 12)
  return tag
}

const text = (content: string) => {
  const tag = Buffer.alloc(Math.ceil((8 + content.length + 1) / 4) * 4)
  tag.write('text', 'latin1')
  tag.write(content, 8, 'latin1')
  return tag
}

/** A `textDescriptionType` that is empty but for the name in ASCII. */
const description = (name = 'test') => {
  const tag = Buffer.alloc(Math.ceil((90 + name.length + 1) / 4) * 4)
  tag.write('desc', 'latin1')
  tag.writeUInt32BE(name.length + 1, 8)
  tag.write(name, 12, 'latin1')
  return tag
}
