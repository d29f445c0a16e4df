//! A run as Apache Parquet: [`figures`] has one row per metric of a trial, named as in `--json`; [`samples`]
//! one row per point of a series.
//!
//! `docs/store.md` lists the columns. The file's metadata holds `goodput.schema`, and the run's head as JSON
//! in `goodput.run`. Compressed with zstd.

mod metrics;
mod samples;

pub use metrics::encode_metrics;
pub use samples::encode_samples;

use goodput_model::run::RunHeader;
use goodput_words::{error_messages, message};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

#[derive(Debug)]
pub struct ParquetExportError(ParquetError);

error_messages! {
    ParquetExportError { ParquetExportError(_) => message!(error_run_no_parquet) }
    sources { ParquetExportError(source) => source }
    from { ParquetError => ParquetExportError }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnType {
    Text,
    Whole,
    MaybeWhole,
    Number,
}

/// One column of a row group.
enum Values<'a> {
    Texts(Vec<(ByteArray, usize)>),
    /// `Err` is a number of rows without a value.
    Wholes(Vec<Result<&'a [i64], usize>>),
    Counted(Vec<i64>),
    Maybe(Vec<Option<i64>>),
    Numbers(Vec<f64>),
}

/// Values per write: repeated values are not expanded at once.
const AT_ONCE: usize = 8_192;

struct Table(SerializedFileWriter<Vec<u8>>);

impl Table {
    fn new(name: &str, columns: &[(String, ColumnType)], head: &RunHeader) -> Result<Table, ParquetError> {
        let fields = columns.iter().map(|(name, holds)| field(name, *holds).map(Arc::new));
        let schema = Type::group_type_builder(name).with_fields(fields.collect::<Result<_, _>>()?).build()?;
        let about = |key: &str, value: String| KeyValue::new(key.to_string(), value);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_created_by(format!("goodput {}", head.version))
            .set_key_value_metadata(Some(vec![
                about("goodput.schema", format!("goodput/{name}/1")),
                about("goodput.run", serde_json::to_string(head).unwrap_or_default()),
            ]))
            .build();
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).map(Table)
    }

    fn rows(&mut self, columns: Vec<Values<'_>>) -> Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        for values in columns {
            let Some(mut column) = group.next_column()? else { break };
            match values {
                Values::Texts(texts) => put_texts(&mut column, &texts)?,
                Values::Wholes(pieces) => put_wholes(&mut column, &pieces)?,
                Values::Counted(values) => {
                    column.typed::<Int64Type>().write_batch(&values, None, None)?;
                }
                Values::Maybe(values) => {
                    let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
                    let there: Vec<i64> = values.into_iter().flatten().collect();
                    column.typed::<Int64Type>().write_batch(&there, Some(&levels), None)?;
                }
                Values::Numbers(values) => {
                    column.typed::<DoubleType>().write_batch(&values, None, None)?;
                }
            }
            column.close()?;
        }
        group.close().map(|_| ())
    }

    fn finish(self) -> Result<Vec<u8>, ParquetError> {
        self.0.into_inner()
    }
}

fn field(name: &str, holds: ColumnType) -> Result<Type, ParquetError> {
    let (physical, logical, repetition) = match holds {
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        ColumnType::Whole => (Physical::INT64, None, Repetition::REQUIRED),
        ColumnType::MaybeWhole => (Physical::INT64, None, Repetition::OPTIONAL),
        ColumnType::Number => (Physical::DOUBLE, None, Repetition::REQUIRED),
    };
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
}

fn put_texts(
    column: &mut SerializedColumnWriter<'_>,
    texts: &[(ByteArray, usize)],
) -> Result<(), ParquetError> {
    for (text, rows) in texts {
        let some = vec![text.clone(); AT_ONCE.min(*rows)];
        for now in pieces(*rows) {
            column.typed::<ByteArrayType>().write_batch(&some[..now], None, None)?;
        }
    }
    Ok(())
}

/// This number in numbers of at most [`AT_ONCE`].
fn pieces(rows: usize) -> impl Iterator<Item = usize> {
    (0..rows).step_by(AT_ONCE).map(move |from| AT_ONCE.min(rows - from))
}

fn put_wholes(
    column: &mut SerializedColumnWriter<'_>,
    wholes: &[Result<&[i64], usize>],
) -> Result<(), ParquetError> {
    let (there, not_there) = ([1i16; AT_ONCE], [0i16; AT_ONCE]);
    for whole in wholes {
        match whole {
            Ok(values) => {
                for some in values.chunks(AT_ONCE) {
                    column.typed::<Int64Type>().write_batch(some, Some(&there[..some.len()]), None)?;
                }
            }
            Err(rows) => {
                for now in pieces(*rows) {
                    column.typed::<Int64Type>().write_batch(&[], Some(&not_there[..now]), None)?;
                }
            }
        }
    }
    Ok(())
}

fn text(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
}

#[cfg(test)]
mod tests;
