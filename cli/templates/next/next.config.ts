export default {
  images: { loader: 'custom', loaderFile: './image-loader.ts' },
}
