const headerEnd = 13
const extension = 0x21
const image = 0x2c
const imageHeaderBytes = 10

/**
 * Whether a GIF (GIF89a specification, sections 15 to 27) ends within a block, as one does whose upload or download was broken
 * off. Decoders show the frames until then, and report no error. One without a trailer is whole: some encoders write none.
 */
export function isCutOffGif(gif: Uint8Array): boolean {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const skipSubBlocks = (start: number) => {
    let position = start
    for (let length = gif[position]; length; length = gif[position]) position += length + 1
    return position + 1 // behind the empty one that ends them
  }
  let position = headerEnd + tableBytes(gif[headerEnd - 3] as number)
  for (;;) {
    const type = gif[position]
    if (type === extension) position = skipSubBlocks(position + 2)
    else if (type === image) {
      const flags = gif[position + imageHeaderBytes - 1] ?? 0
      position = skipSubBlocks(position + imageHeaderBytes + tableBytes(flags) + 1) // 1: bits per code
    } else break // trailer, or what decoders ignore
    if (position > gif.length) return true
  }
  return position > gif.length
}
