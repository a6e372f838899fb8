export {
  type BoundImageProps,
  createImageComponent,
  Image,
  type ImageElementProps,
  type ImageProps,
  imageProps,
} from './image.js'
export { Picture, type PictureProps, type PictureSource } from './picture.js'
