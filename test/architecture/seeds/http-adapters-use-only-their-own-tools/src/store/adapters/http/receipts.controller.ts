import { StreamableFile, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';

export const tools = [ApiConsumes, FileInterceptor, StreamableFile, UploadedFile, UseInterceptors];
