import {
  Body,
  Controller,
  FileTypeValidator,
  Get,
  Injectable,
  Module,
  ParseFilePipe,
  Post,
  StreamableFile,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema, Repository } from 'typeorm';
import { DomainError, type Int64 } from '../../../src/kernel/index.js';
import { columns, insertOnce, Migrations, Sequences } from '../../../src/platform/database/index.js';
import {
  Attachment,
  BodyLimit,
  CreateOperation,
  Id,
  Idempotent,
  IdField,
  Location,
  type Once,
  Operation,
  type SetAttachment,
  type SetLocation,
  TextField,
} from '../../../src/platform/http/index.js';
import { CreateTable } from '../create-table.js';

// A module that takes a file and sends it back: the scan of the passport of a pet.

/** How many bytes a scan may have. */
export const MAX_SCAN = 100_000;

interface Passport {
  readonly id: Int64;
  readonly petId: Int64;
  readonly holder: string;
  readonly fileName: string;
  readonly scan: Buffer;
}

class PassportNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'passport_not_found';
  static readonly meaning = 'The passport does not exist.';
  static readonly remedy = 'Use the id in the response to its upload.';
}

const PassportSchema = new EntitySchema<Passport>({
  name: 'Passport',
  tableName: 'passports',
  columns: {
    id: columns.int64({ primary: true }),
    petId: columns.int64({ name: 'pet_id' }),
    holder: columns.text(40),
    fileName: columns.text(255, { name: 'file_name' }),
    scan: columns.bytes(MAX_SCAN),
  },
});

class CreatePassports extends CreateTable {
  readonly name = 'CreatePassports1795999999996';
  protected readonly schema = PassportSchema;
  protected override readonly sequence = 'passports';
}

@Injectable()
class Passports {
  constructor(
    @InjectRepository(PassportSchema) private readonly rows: Repository<Passport>,
    private readonly sequences: Sequences,
  ) {}

  async add(passport: Omit<Passport, 'id'>): Promise<Passport> {
    const added = { id: await this.sequences.of('passports').next(), ...passport };
    await insertOnce(this.rows, added);
    return added;
  }

  async get(id: Int64): Promise<Passport> {
    const found = await this.rows.findOneBy({ id });
    if (!found) throw new PassportNotFound();
    return found;
  }
}

@ApiSchema({ name: 'NewPassport' })
class NewPassportBody {
  @TextField({
    description: 'The person who keeps the pet: 1 to 40 code points, at least one of them visible.',
    example: 'Ada',
    maxLength: 40,
  })
  holder!: string;

  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'A PDF of at most 100,000 bytes.',
    example: '%PDF-1.7',
  })
  scan!: unknown;
}

@ApiSchema({ name: 'Passport' })
class PassportBody {
  @IdField({ description: 'Identifier of the passport.', example: 1 })
  id!: Int64;

  @TextField({
    description: 'The person who keeps the pet: 1 to 40 code points, at least one of them visible.',
    example: 'Ada',
    maxLength: 40,
  })
  holder!: string;
}

const toPassportBody = ({ id, holder }: Passport): PassportBody => ({ id, holder });

const AddPassport = () =>
  CreateOperation('passport', {
    name: 'addPassport',
    errors: [PassportNotFound],
    body: PassportBody,
    links: { getPassport: { passportId: '$response.body#/id' } },
  });

const GetPassport = () =>
  Operation({
    name: 'getPassport',
    errors: [PassportNotFound],
    summary: 'Returns the scan of a passport.',
    description: 'The bytes are as they were uploaded.',
    success: { status: 200, description: 'The scan.', content: { 'application/pdf': {} } },
  });

/** What multer makes of a file. */
interface Upload {
  readonly originalname: string;
  readonly buffer: Buffer;
}

@Controller('passports')
class PassportsController {
  constructor(private readonly passports: Passports) {}

  @Post('pets/:petId')
  @AddPassport()
  @ApiConsumes('multipart/form-data')
  @BodyLimit('110kb')
  @UseInterceptors(
    FileInterceptor('scan', {
      defParamCharset: 'utf8',
      limits: { fileSize: MAX_SCAN, files: 1 },
    }),
  )
  async add(
    @Id('petId', PassportNotFound) petId: Int64,
    @Body() { holder }: NewPassportBody,
    @UploadedFile(new ParseFilePipe({ validators: [new FileTypeValidator({ fileType: 'application/pdf' })] }))
    { originalname, buffer }: Upload,
    @Idempotent() once: Once,
    @Location() setLocation: SetLocation,
  ) {
    return once(async () => {
      const passport = await this.passports.add({ petId, holder, fileName: originalname, scan: buffer });
      setLocation(passport.id);
      return toPassportBody(passport);
    });
  }

  @Get(':passportId')
  @GetPassport()
  async get(@Id('passportId', PassportNotFound) id: Int64, @Attachment() setAttachment: SetAttachment) {
    const { scan, fileName } = await this.passports.get(id);
    setAttachment(fileName);
    return new StreamableFile(scan, { type: 'application/pdf' });
  }
}

@Migrations(CreatePassports)
@Module({
  imports: [TypeOrmModule.forFeature([PassportSchema])],
  controllers: [PassportsController],
  providers: [Passports],
})
export class PassportsModule {}
