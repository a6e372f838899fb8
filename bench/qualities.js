/** The qualities that first visits are compared at; as many as Next.js allows in `images.qualities`. */
export const qualities = Array.from({ length: 20 }, (_, index) => 56 + 2 * index)
