//! Alternative notations with their position in the file: text or number, one or several, short or table.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

// A value with its position, in bytes from the file's beginning. (Documentation would be in the schema.)
#[derive(Debug, Clone, JsonSchema)]
#[schemars(transparent)]
pub(crate) struct ValueWithPosition<T> {
    #[schemars(skip)]
    pub at: usize,
    pub it: T,
}

impl<T> Deref for ValueWithPosition<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.it
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ValueWithPosition<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(from)?;
        Ok(ValueWithPosition { at: spanned.span().start, it: spanned.into_inner() })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextOrNumber {
    Text(String),
    Whole(i64),
    Number(f64),
}

impl fmt::Display for TextOrNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextOrNumber::Text(text) => f.write_str(text),
            TextOrNumber::Whole(whole) => whole.fmt(f),
            TextOrNumber::Number(number) => number.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for TextOrNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ScalarVisitor)
    }
}

impl JsonSchema for TextOrNumber {
    fn schema_name() -> Cow<'static, str> {
        "text or number".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number"] })
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = TextOrNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in quotes or a number")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<TextOrNumber, E> {
        Ok(TextOrNumber::Text(text.to_string()))
    }
    fn visit_i64<E: Error>(self, whole: i64) -> Result<TextOrNumber, E> {
        Ok(TextOrNumber::Whole(whole))
    }
    fn visit_u64<E: Error>(self, whole: u64) -> Result<TextOrNumber, E> {
        i64::try_from(whole).map(TextOrNumber::Whole).map_err(|_| E::custom("the number is too large"))
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<TextOrNumber, E> {
        match number.is_finite() {
            true => Ok(TextOrNumber::Number(number)),
            false => Err(E::custom("the number is not finite")),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct OneOrMany<T>(pub Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(OneOrManyVisitor(PhantomData))
    }
}

struct OneOrManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> OneOrManyVisitor<T> {
    fn one<E: Error>(from: impl Deserializer<'de, Error = E>) -> Result<OneOrMany<T>, E> {
        T::deserialize(from).map(|one| OneOrMany(vec![one]))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrManyVisitor<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one value or a list of them")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Self::one(text.into_deserializer())
    }
    fn visit_i64<E: Error>(self, whole: i64) -> Result<Self::Value, E> {
        Self::one(whole.into_deserializer())
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Self::one(number.into_deserializer())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMany)
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("one or many of {}", T::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

/// A text or a number where that is enough, else a table.
#[derive(Debug, Clone)]
pub(crate) enum ScalarOrTable<T> {
    Short(TextOrNumber),
    Full(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ScalarOrTable<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ChoiceVisitor(PhantomData))
    }
}

struct ChoiceVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ChoiceVisitor<T> {
    type Value = ScalarOrTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in quotes, a number, or a table")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        ScalarVisitor.visit_str(text).map(ScalarOrTable::Short)
    }
    fn visit_i64<E: Error>(self, whole: i64) -> Result<Self::Value, E> {
        ScalarVisitor.visit_i64(whole).map(ScalarOrTable::Short)
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        ScalarVisitor.visit_f64(number).map(ScalarOrTable::Short)
    }
    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table)).map(ScalarOrTable::Full)
    }
}

impl<T: JsonSchema> JsonSchema for ScalarOrTable<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("text or {}", T::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (short, full) = (TextOrNumber::json_schema(generator), generator.subschema_for::<T>());
        json_schema!({ "anyOf": [short, full] })
    }
}
