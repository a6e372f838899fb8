import sharp from 'sharp'

/**
 * Blocks all decoders of this process but those of the accepted types. A build of libvips may have many more, such as those
 * of ImageMagick, and it chooses one by the bytes itself: what gets past the check of the type shall find none.
 */
export function blockOtherDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  const accepted = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff']
  sharp.unblock({ operation: accepted.map((name) => `VipsForeignLoad${name}`) })
}
