export {
  type BoundImageProps,
  createImageComponent,
  Image,
  type ImageElementProps,
  type ImageProps,
  imageProps,
} from './image.js'
export {
  type BoundPictureProps,
  createPictureComponent,
  Picture,
  type PictureProps,
  type PictureSource,
} from './picture.js'
